import { type FocusEvent, type ReactNode, useEffect, useRef } from 'react';
import { FocusScope, useFocusManager } from 'react-aria/FocusScope';
import classes from './focus-keeper.module.css';

/**
 * Keeps the focus in what it contains. If what has the focus is removed or disabled, the focus goes to what has taken its place: from
 * a button to the field that it reveals, from the field back to the button, from a row to the next one. While there is nothing, such
 * as while something loads, it waits. Pages and dialogs have one, so that their parts need not care.
 */
export function FocusKeeper({ children }: { children: ReactNode }) {
  return (
    <FocusScope>
      <Kept>{children}</Kept>
    </FocusScope>
  );
}

function Kept({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const focused = useRef<Element>(null);
  /** The keeper in this one that has the focus. */
  const inner = useRef<Element>(null);
  const manager = useFocusManager();
  useEffect(() => {
    if (frame.current === null) return;
    const keep = (changes: readonly MutationRecord[]) => {
      if (focused.current === null || !isLost(focused.current)) return;
      const from = placeOf(focused.current, changes);
      const { scrollX, scrollY } = window;
      const next = manager?.focusNext({ tabbable: true, ...(from && { from }) });
      const found = next ?? manager?.focusLast({ tabbable: true }) ?? manager?.focusFirst();
      // Nothing has taken its place: the page stays as it is.
      if (!next) window.scrollTo(scrollX, scrollY);
      // Somebody who writes another text goes on at its end.
      if (found instanceof HTMLTextAreaElement)
        found.setSelectionRange(found.value.length, found.value.length);
    };
    const observer = new MutationObserver((changes) => {
      // A keeper in this one goes first.
      if (inner.current?.isConnected) queueMicrotask(() => keep(changes));
      else keep(changes);
    });
    observer.observe(frame.current, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    return () => observer.disconnect();
  }, [manager]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks at the focus
    <div
      ref={frame}
      className={classes.keeper}
      data-keeps-focus
      onFocus={({ target }: FocusEvent) => {
        // What is in a dialog is not in here, although React says so.
        focused.current = frame.current?.contains(target) ? target : null;
        const nearest = target.closest('[data-keeps-focus]');
        inner.current = nearest === frame.current ? null : nearest;
      }}
      // React does not call it for what it removes.
      onBlur={() => {
        focused.current = null;
      }}
    >
      {children}
    </div>
  );
}

/** Returns true if the element has had the focus, cannot keep it, and nothing else has it. */
function isLost(element: Element): boolean {
  const { activeElement, body } = document;
  const isOnNothing = activeElement === null || activeElement === body;
  return isOnNothing || (activeElement === element && element.matches(':disabled'));
}

/** The element that what takes the place of another one comes after. */
function placeOf(element: Element, changes: readonly MutationRecord[]): Element | undefined {
  const removal = changes.findLast(
    ({ removedNodes, target }) =>
      target.isConnected && [...removedNodes].some((node) => node.contains(element)),
  );
  if (removal === undefined) return element.isConnected ? element : undefined;
  // What was before it may have been removed, too, or before that.
  let before = removal.previousSibling;
  for (const change of changes.slice(0, changes.indexOf(removal)).toReversed())
    if (before !== null && !before.isConnected && [...change.removedNodes].includes(before as ChildNode))
      before = change.previousSibling;
  return (before?.isConnected ? lastIn(before) : removal.target) as Element;
}

const lastIn = (node: Node): Node => (node.lastChild === null ? node : lastIn(node.lastChild));
