import { type ComponentType, Suspense } from 'react';
import { words } from '../words/words.ts';
import { EmptyState } from './empty-state.tsx';
import { Skeleton } from './skeleton.tsx';
import { Tabs } from './tabs.tsx';

interface PageTabsProps {
  readonly label: string;
  /** The first is the one at the page's own path. `Content` is a lazy component: its code loads when the tab is opened. */
  readonly tabs: readonly {
    readonly id: string;
    readonly title: string;
    readonly href: string;
    readonly Content: ComponentType;
  }[];
  /** What the path names; absent for the first. */
  readonly selected: string | undefined;
}

/** The tabs of a page with what they show. */
export function PageTabs({ label, tabs, selected }: PageTabsProps) {
  const shown = selected === undefined ? tabs[0] : tabs.find(({ id }) => id === selected);
  return (
    <Tabs label={label} tabs={tabs} selected={shown?.id ?? ''}>
      <Suspense fallback={<Skeleton rows={4} />}>
        {shown ? (
          <shown.Content />
        ) : (
          <EmptyState icon="search" title={words.shared.errors.noPageTitle}>
            <p>{words.shared.errors.notFoundText}</p>
          </EmptyState>
        )}
      </Suspense>
    </Tabs>
  );
}
