// #L3 is the browser's own work; #L3-L9 and shift-click for a range are done here.
const RANGE = /^#L(\d+)-L(\d+)$/;

function clear(): void {
  for (const line of document.querySelectorAll(".line.is-picked")) line.classList.remove("is-picked");
}

function pick(first: number, last: number): void {
  const end = Math.max(first, last);
  for (let at = Math.min(first, last); at <= end; at += 1) {
    const line = document.getElementById(`L${at}`);
    if (!line) break;
    line.classList.add("is-picked");
  }
}

function showRange(): void {
  const found = RANGE.exec(location.hash);
  clear();
  if (!found) return;
  const first = Number(found[1]);
  pick(first, Number(found[2]));
  document.getElementById(`L${first}`)?.scrollIntoView({ block: "center" });
}

function extend(event: MouseEvent): void {
  const link = (event.target as Element).closest<HTMLAnchorElement>(".line__no");
  const start = /^#L(\d+)/.exec(location.hash);
  if (!link || !start || !event.shiftKey) return;
  event.preventDefault();
  location.hash = `L${start[1]}-${link.hash.slice(1)}`;
}

export function followLineLinks(): void {
  if (!document.querySelector(".line__no")) return;
  addEventListener("hashchange", showRange);
  document.addEventListener("click", extend);
  showRange();
}
