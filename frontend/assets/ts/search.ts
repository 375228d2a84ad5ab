// "/" and Ctrl+K lead to the search box of the page, or else to the search of the tenant.
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function isAsked(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === "k";
  return event.key === "/" && !isTyping(event.target);
}

export function focusSearch(): void {
  document.addEventListener("keydown", (event) => {
    if (!isAsked(event)) return;
    const box = document.querySelector<HTMLInputElement>("form[role=search] input[type=search]");
    const link = document.querySelector<HTMLAnchorElement>("a[data-search]");
    if (!box && !link) return;
    event.preventDefault();
    if (box) box.select();
    else link?.click();
  });
}
