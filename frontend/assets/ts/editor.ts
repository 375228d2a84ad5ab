// <x-editor>: a textarea whose lines are numbered; those that the review finds wrong are marked.
const MAX_ROWS = 2000;
const SPARE_ROWS = 2;

class Editor extends HTMLElement {
  private text: HTMLTextAreaElement | null = null;
  private numbers: HTMLElement | null = null;

  connectedCallback(): void {
    this.text = this.querySelector("textarea");
    this.numbers = this.querySelector("ol");
    this.text?.addEventListener("input", () => this.count());
    document.addEventListener("htmx:afterSettle", () => this.mark());
    document.addEventListener("click", (event) => this.follow(event));
    this.count();
  }

  private count(): void {
    if (!this.text || !this.numbers) return;
    const lines = Math.min(this.text.value.split("\n").length, MAX_ROWS);
    this.text.rows = Math.max(this.text.rows, Math.min(lines + SPARE_ROWS, MAX_ROWS));
    while (this.numbers.childElementCount > lines) this.numbers.lastElementChild?.remove();
    while (this.numbers.childElementCount < lines) this.numbers.append(document.createElement("li"));
  }

  private mark(): void {
    const links = [...document.querySelectorAll<HTMLElement>("#problems [data-line]")];
    const wrong = new Set(links.map((link) => Number(link.dataset["line"])));
    [...(this.numbers?.children ?? [])].forEach((item, at) => item.classList.toggle("is-wrong", wrong.has(at + 1)));
    this.text?.setAttribute("aria-invalid", String(wrong.size > 0));
  }

  private follow(event: MouseEvent): void {
    const link = (event.target as Element).closest<HTMLElement>("#problems [data-line]");
    if (!link || !this.text) return;
    event.preventDefault();
    const lines = this.text.value.split("\n");
    const start = lines.slice(0, Number(link.dataset["line"]) - 1).join("\n").length;
    const first = start ? start + 1 : 0;
    this.text.focus();
    this.text.setSelectionRange(first, first + (lines[Number(link.dataset["line"]) - 1]?.length ?? 0));
  }
}

export function defineEditor(): void {
  customElements.define("x-editor", Editor);
}
