import type { ReactNode } from 'react';
import { Tabs as Base, Tab, TabList, TabPanel } from 'react-aria-components/Tabs';
import classes from './tabs.module.css';

interface PageTab {
  readonly id: string;
  readonly title: string;
  /** The path of the page with this tab. */
  readonly href: string;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly PageTab[];
  /** The id of the tab that the URL names. */
  readonly selected: string;
  /** The content of the selected tab. */
  readonly children: ReactNode;
}

/** On small screens the tabs may be wider than the page. */
const bringIntoView = (tab: HTMLElement | null) =>
  tab?.scrollIntoView({ block: 'nearest', inline: 'center' });

/** The tabs of a page. Each has its own URL. */
export function Tabs({ label, tabs, selected, children }: TabsProps) {
  return (
    <Base className={classes['tabs'] as string} selectedKey={selected} keyboardActivation="manual">
      <TabList
        className={classes['list'] as string}
        aria-label={label}
        items={tabs}
        dependencies={[selected]}
      >
        {({ id, title, href }) => (
          <Tab
            className={classes['tab'] as string}
            id={id}
            href={href}
            {...(id === selected && { ref: bringIntoView })}
          >
            {title}
          </Tab>
        )}
      </TabList>
      <TabPanel key={selected} className={classes['panel'] as string} id={selected}>
        {children}
      </TabPanel>
    </Base>
  );
}
