import { type ReactNode, useEffect, useRef } from 'react';
import { words } from '../words/words.ts';
import { join } from './classes.ts';
import { FocusKeeper } from './focus-keeper.tsx';
import { Icon } from './icon.tsx';
import { hasNavigated } from './navigated.ts';
import classes from './page.module.css';

interface PageProps {
  title: string;
  back?: ReactNode;
  of?: string | undefined;
  lead?: ReactNode;
  actions?: ReactNode;
  width?: 'full' | 'wide' | 'medium' | 'narrow';
  /** True if the page is as high as the window, and what it shows scrolls by itself. */
  fitsWindow?: boolean;
  children: ReactNode;
}

/** True if the page that was just taken away had the focus. */
let hadFocus = false;

/** Notes if a page has the focus just before it is taken away. */
const noteFocus = (page: HTMLElement | null) => () => {
  hadFocus = page?.contains(document.activeElement) === true;
};

/**
 * A page of the panel: its heading, which gets the focus when somebody comes here from another page or the page takes the place of one
 * with the focus, and what is below.
 */
export function Page(props: PageProps) {
  const { title, back, of, lead, actions, width = 'wide', fitsWindow = false, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = words.shared.pageTitle(title, of);
  }, [title, of]);
  useEffect(() => {
    if (hasNavigated() || hadFocus) heading.current?.focus();
    hadFocus = false;
  }, []);
  return (
    <div
      ref={noteFocus}
      data-fits-window={fitsWindow || undefined}
      className={join(classes.page, classes[width], fitsWindow && classes.fits)}
    >
      <header className={classes.head}>
        <div className={classes.titles}>
          {back && (
            <div className={classes.back}>
              <Icon name="arrow" size={12} />
              {back}
            </div>
          )}
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <div className={classes.lead}>{lead}</div>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      <FocusKeeper>{children}</FocusKeeper>
    </div>
  );
}
