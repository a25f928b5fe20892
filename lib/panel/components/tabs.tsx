import { type ReactNode, useEffect, useState } from 'react';
import { Tabs as Base, Tab, TabList } from 'react-aria-components/Tabs';
import classes from './tabs.module.css';

interface PageTab {
  id: string;
  title: string;
  /** The path of the page with this tab. */
  href: string;
}

interface TabsProps {
  label: string;
  tabs: readonly PageTab[];
  selected: string;
  children: ReactNode;
}

/** The tabs of a page. Each has its own URL. */
export function Tabs({ label, tabs, selected, children }: TabsProps) {
  const [tab, setTab] = useState<HTMLElement | null>(null);
  useEffect(() => {
    // On small screens the tabs may be wider than the page.
    tab?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [tab]);
  return (
    <div className={classes.tabs}>
      <Base selectedKey={selected} keyboardActivation="manual">
        <TabList className={classes.list} aria-label={label} items={tabs} dependencies={[selected]}>
          {({ id, title, href }) => (
            <Tab className={classes.tab} id={id} href={href} {...(id === selected && { ref: setTab })}>
              {title}
            </Tab>
          )}
        </TabList>
      </Base>
      <TabContent key={selected} tab={tab}>
        {children}
      </TabContent>
    </div>
  );
}

interface TabContentProps {
  tab: HTMLElement | null;
  children: ReactNode;
}

/**
 * The content of the selected tab. React Aria's own panel looks for something to focus in it after every change. Behind an open dialog
 * it finds nothing, and checks all of it, which takes long in a large page.
 */
export function TabContent({ tab, children }: TabContentProps) {
  return (
    <div
      className={classes.panel}
      {...(tab && {
        role: 'tabpanel',
        id: tab.getAttribute('aria-controls') ?? '',
        'aria-labelledby': tab.id,
      })}
    >
      {children}
    </div>
  );
}
