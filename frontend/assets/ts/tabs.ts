// A row of tabs that is wider than the window is moved until the tab that is open can be seen.
export function showOpenTabs(): void {
  for (const tabs of document.querySelectorAll<HTMLElement>(".tabs")) {
    const open = tabs.querySelector<HTMLElement>("[aria-current]");
    if (!open) continue;
    const overhang = open.offsetLeft + open.offsetWidth - tabs.offsetLeft - tabs.clientWidth;
    if (overhang > 0) tabs.scrollLeft = overhang + open.offsetWidth / 2;
  }
}
