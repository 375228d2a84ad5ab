// <x-copy data-from="id"> or <x-copy data-text="...">: shows its button, which copies.
const SHOWN_FOR = 1600;

function say(words: string): void {
  const region = document.getElementById("live");
  if (region) region.textContent = words;
}

class CopyButton extends HTMLElement {
  connectedCallback(): void {
    const button = this.querySelector("button");
    if (!button || !navigator.clipboard) return;
    this.hidden = false;
    button.addEventListener("click", () => void this.copy(button));
  }

  private async copy(button: HTMLElement): Promise<void> {
    await navigator.clipboard.writeText(this.text());
    say(this.dataset["done"] ?? "");
    button.classList.add("is-done");
    setTimeout(() => button.classList.remove("is-done"), SHOWN_FOR);
  }

  private text(): string {
    const source = this.dataset["from"];
    const text = source ? document.getElementById(source)?.textContent : this.dataset["text"];
    return (text ?? "").trim();
  }
}

export function defineCopyButton(): void {
  customElements.define("x-copy", CopyButton);
}
