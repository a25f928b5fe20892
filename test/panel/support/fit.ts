import type { Page } from 'playwright-core';

/**
 * Finds texts of the page that do not fit: those that are cut off, leave the window sideways, or lie on another text. A text
 * that scrolls, ends with an ellipsis or is for screen readers only fits.
 */
export async function misfitsIn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) found.add('the page scrolls sideways');
    const styleOf = (element: Element) => getComputedStyle(element);
    const boxes: { text: string; rect: DOMRect; node: Node; layer: Element | null }[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (
        text === '' ||
        parent === null ||
        parent.closest('svg, script, style, noscript, [hidden], textarea, option')
      )
        continue;
      if (
        !parent.checkVisibility({
          visibilityProperty: true,
          opacityProperty: true,
          contentVisibilityAuto: true,
        })
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      let rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
      let layer: Element | null = null;
      let isCut = false;
      let isHidden = false;
      for (
        let each: Element | null = parent;
        each !== null && each !== document.body;
        each = each.parentElement
      ) {
        const style = styleOf(each);
        if (layer === null && ['fixed', 'sticky', 'absolute'].includes(style.position)) layer = each;
        if (style.overflowX === 'visible' && style.clipPath === 'none') continue;
        const box = each.getBoundingClientRect();
        if (box.width <= 1 || box.height <= 1 || style.clipPath !== 'none') {
          isHidden = true;
          break;
        }
        const canScroll =
          ['auto', 'scroll'].includes(style.overflowX) || ['auto', 'scroll'].includes(style.overflowY);
        const isShortened = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
        const within = rects.filter(
          (rect) =>
            rect.left < box.right && rect.right > box.left && rect.top < box.bottom && rect.bottom > box.top,
        );
        if (!canScroll && !isShortened)
          isCut ||= rects.some(
            (rect) => rect.right > box.right + 2 || rect.left < box.left - 2 || rect.bottom > box.bottom + 4,
          );
        rects = within;
        if (isShortened || canScroll)
          rects = rects.map(
            (rect) =>
              new DOMRect(
                Math.max(rect.left, box.left),
                Math.max(rect.top, box.top),
                Math.min(rect.right, box.right) - Math.max(rect.left, box.left),
                Math.min(rect.bottom, box.bottom) - Math.max(rect.top, box.top),
              ),
          );
      }
      if (isHidden) continue;
      const short = text.slice(0, 60);
      if (isCut) found.add(`cut off: ${short}`);
      for (const rect of rects) {
        if (rect.right > root.clientWidth + 2 || rect.left < -2) found.add(`outside of the window: ${short}`);
        boxes.push({ text: short, rect, node, layer });
      }
    }
    for (const [place, one] of boxes.entries())
      for (const other of boxes.slice(place + 1)) {
        if (one.node === other.node || one.layer !== other.layer) continue;
        const width = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
        const height = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
        if (width > 3 && height > 6) found.add(`on each other: ${one.text} | ${other.text}`);
      }
    return [...found];
  });
}
