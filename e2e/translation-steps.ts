import type { Page } from '@playwright/test';

/**
 * Does what a browser's translation does to the page, from now on and until it is loaded anew: each text gives way to
 * elements around another one. Here that has the same words.
 */
export async function translatePage(page: Page): Promise<void> {
  await page.evaluate(() => {
    const translations = new WeakSet<Node>();
    const translate = (text: Text) => {
      const isWords = text.data.trim() !== '' && text.parentElement?.closest('script, style, title') === null;
      if (!isWords || translations.has(text)) return;
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      const translation = document.createTextNode(text.data);
      translations.add(translation);
      inner.append(translation);
      outer.append(inner);
      text.replaceWith(outer);
    };
    const translateAll = (root: Node) => {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts = root instanceof Text ? [root] : [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) translate(text);
    };
    translateAll(document.body);
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const added of addedNodes) translateAll(added);
    }).observe(document.body, { subtree: true, childList: true });
  });
}
