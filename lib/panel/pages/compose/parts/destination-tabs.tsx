import { memo, useState } from 'react';
import { Tab, TabList, Tabs } from 'react-aria-components/Tabs';
import type { Platform } from '../../../../platforms/contract/names.ts';
import type { Account } from '../../../accounts/account.ts';
import { PlatformMark } from '../../../accounts/platform-mark.tsx';
import { join } from '../../../components/classes.ts';
import baseClasses from '../../../components/tabs.module.css';
import { TabContent } from '../../../components/tabs.tsx';
import { VisuallyHidden } from '../../../components/visually-hidden.tsx';
import { words } from '../../../words/words.ts';
import { hasOwn } from '../draft/draft.ts';
import { allAccounts, countByTab, hasTabs } from '../draft/places.ts';
import { AccountPanel, OwnOptions } from './account-panel.tsx';
import { accountName, useComposing } from './context.ts';
import classes from './destination-tabs.module.css';
import panelClasses from './panel.module.css';
import { SharedPanel } from './shared-panel.tsx';
import { useSameList } from './use-same-list.ts';

interface DestinationTabsProps {
  selected: string;
  onSelect: (tab: string) => void;
}

/** What all accounts share, and a tab for each account. With one account there is nothing to choose between. */
export function DestinationTabs({ selected, onSelect }: DestinationTabsProps) {
  const { draft, accounts, problems } = useComposing();
  const { destinations } = draft;
  const [tab, setTab] = useState<HTMLElement | null>(null);
  const counts = countByTab(problems);
  // As text, because the strip is drawn again only if it says something else.
  const tabs = useSameList(
    destinations.map((each) =>
      JSON.stringify([each.accountId, each.platform, hasOwn(each), counts.get(each.accountId) ?? 0]),
    ),
  );
  const [sole] = destinations;
  if (sole === undefined) return <SharedPanel />;
  if (!hasTabs(draft))
    return (
      <div className={panelClasses['panel']}>
        <SharedPanel />
        <OwnOptions destination={sole} />
      </div>
    );
  const shown = destinations.find(({ accountId }) => accountId === selected);
  return (
    <div className={join(baseClasses['tabs'], classes['tabs'])}>
      <Strip
        tabs={tabs}
        accounts={accounts}
        selected={selected}
        problems={counts.get(allAccounts) ?? 0}
        onSelect={onSelect}
        onShown={setTab}
      />
      <TabContent key={selected} tab={tab}>
        {shown === undefined ? <SharedPanel /> : <AccountPanel destination={shown} />}
      </TabContent>
    </div>
  );
}

/** More names do not fit beside each other. */
const mostNamed = 2;

interface StripProps {
  tabs: readonly string[];
  accounts: ReadonlyMap<string, Account>;
  selected: string;
  problems: number;
  onSelect: (tab: string) => void;
  onShown: (tab: HTMLElement | null) => void;
}

const Strip = memo(function Strip({ tabs, accounts, selected, problems, onSelect, onShown }: StripProps) {
  return (
    <Tabs selectedKey={selected} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList className={join(baseClasses['list'], classes['list'])} aria-label={words.composer.tabs.label}>
        <Tab
          id={allAccounts}
          className={join(baseClasses['tab'], classes['tab'])}
          {...(selected === allAccounts && { ref: onShown })}
        >
          {words.composer.tabs.all}
          <Badge number={problems} />
        </Tab>
        {tabs.map((tab) => {
          const [accountId, platform, isOther, wrong] = JSON.parse(tab) as [
            string,
            Platform,
            boolean,
            number,
          ];
          const name = accountName(accounts, accountId, platform);
          // Of many accounts, only the chosen one is named: so all are in sight.
          const isNamed = tabs.length <= mostNamed || accountId === selected;
          return (
            <Tab
              key={accountId}
              id={accountId}
              className={join(baseClasses['tab'], classes['tab'])}
              {...(accountId === selected && { ref: onShown })}
            >
              <span title={name}>
                <PlatformMark platform={platform} />
              </span>
              {isNamed ? (
                <span className={classes['name']}>{name}</span>
              ) : (
                <VisuallyHidden>{name}</VisuallyHidden>
              )}
              {isOther && (
                <span className={classes['dot']}>
                  <VisuallyHidden>{words.composer.tabs.differs}</VisuallyHidden>
                </span>
              )}
              <Badge number={wrong} />
            </Tab>
          );
        })}
      </TabList>
    </Tabs>
  );
});

function Badge({ number }: { number: number }) {
  if (number === 0) return null;
  return (
    <span className={classes['badge']}>
      <span aria-hidden="true">{number}</span>
      <VisuallyHidden>{words.composer.tabs.problems(number)}</VisuallyHidden>
    </span>
  );
}
