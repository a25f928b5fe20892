import { useEffect, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components/Tabs';
import { PlatformMark } from '../../../accounts/platform-mark.tsx';
import { join } from '../../../components/classes.ts';
import baseClasses from '../../../components/tabs.module.css';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { words } from '../../../words/words.ts';
import { hasOwn } from '../draft/draft.ts';
import { allAccounts, countByTab, hasTabs } from '../draft/places.ts';
import { AccountPanel, OwnOptions } from './account-panel.tsx';
import { accountName, useComposing } from './context.ts';
import classes from './destination-tabs.module.css';
import panelClasses from './panel.module.css';
import { SharedPanel } from './shared-panel.tsx';

interface DestinationTabsProps {
  readonly selected: string;
  readonly onSelect: (tab: string) => void;
}

/** What all accounts share, and a tab for each account. With one account there is nothing to choose between. */
export function DestinationTabs({ selected, onSelect }: DestinationTabsProps) {
  const { draft, accounts, problems } = useComposing();
  const { destinations } = draft;
  const [shown, setShown] = useState<HTMLElement | null>(null);
  useEffect(() => {
    // There may be more tabs than fit.
    shown?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [shown]);
  const [sole] = destinations;
  if (sole === undefined) return <SharedPanel />;
  if (!hasTabs(draft))
    return (
      <div className={panelClasses['panel']}>
        <SharedPanel />
        <OwnOptions destination={sole} />
      </div>
    );
  const counts = countByTab(problems);
  return (
    <Tabs
      className={join(baseClasses['tabs'], classes['tabs'])}
      selectedKey={selected}
      onSelectionChange={(key) => onSelect(String(key))}
    >
      <TabList className={join(baseClasses['list'], classes['list'])} aria-label={words.composer.tabs.label}>
        <Tab id={allAccounts} className={join(baseClasses['tab'], classes['tab'])}>
          {words.composer.tabs.all}
          <Badge number={counts.get(allAccounts) ?? 0} />
        </Tab>
        {destinations.map((destination) => {
          const { accountId, platform } = destination;
          return (
            <Tab
              key={accountId}
              id={accountId}
              className={join(baseClasses['tab'], classes['tab'])}
              {...(accountId === selected && { ref: setShown })}
            >
              <PlatformMark platform={platform} />
              <span className={classes['name']}>{accountName(accounts, accountId, platform)}</span>
              {hasOwn(destination) && (
                <span className={classes['dot']}>
                  <VisuallyHidden>{words.composer.tabs.differs}</VisuallyHidden>
                </span>
              )}
              <Badge number={counts.get(accountId) ?? 0} />
            </Tab>
          );
        })}
      </TabList>
      <TabPanel id={allAccounts} className={baseClasses['panel'] as string}>
        <SharedPanel />
      </TabPanel>
      {destinations.map((destination) => (
        <TabPanel
          key={destination.accountId}
          id={destination.accountId}
          className={baseClasses['panel'] as string}
        >
          <AccountPanel destination={destination} />
        </TabPanel>
      ))}
    </Tabs>
  );
}

function Badge({ number }: { readonly number: number }) {
  if (number === 0) return null;
  return (
    <span className={classes['badge']}>
      <span aria-hidden="true">{number}</span>
      <VisuallyHidden>{words.composer.tabs.problems(number)}</VisuallyHidden>
    </span>
  );
}
