// Copies a listing. Where the browser refuses the clipboard, as it may for a page from disk, the
// listing is selected instead. A status says which of the two happened, in words of the page.
"use strict";
{
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      return false;
    }
  };

  for (const listing of document.querySelectorAll("[data-listing]")) {
    const code = listing.querySelector("code");
    const status = listing.querySelector("[role=status]");
    listing.querySelector("[data-copy]").addEventListener("click", async () => {
      // Emptied first, so that the same words are said again.
      status.textContent = "";
      if (await copied(code.textContent)) {
        status.textContent = status.dataset.copied;
      } else {
        getSelection().selectAllChildren(code);
        status.textContent = status.dataset.selected;
      }
    });
  }
}
