import { type ComponentType, Suspense } from 'react';
import { words } from '../words/words.ts';
import { EmptyState } from './empty-state.tsx';
import { Skeleton } from './skeleton.tsx';
import { Tabs } from './tabs.tsx';

interface PageTabsProps {
  label: string;
  tabs: readonly {
    id: string;
    title: string;
    href: string;
    Content: ComponentType;
  }[];
  selected: string | undefined;
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
