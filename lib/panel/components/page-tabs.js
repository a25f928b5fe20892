import { jsx as _jsx } from "react/jsx-runtime";
import { Suspense } from 'react';
import { strings } from '../strings.ts';
import { EmptyState } from './empty-state.tsx';
import { Skeleton } from './skeleton.tsx';
import { Tabs } from './tabs.tsx';
/** The tabs of a page with what they show. */
export function PageTabs({ label, tabs, selected }) {
    const shown = selected === undefined ? tabs[0] : tabs.find(({ id }) => id === selected);
    return (_jsx(Tabs, { label: label, tabs: tabs, selected: shown?.id ?? '', children: _jsx(Suspense, { fallback: _jsx(Skeleton, { rows: 4 }), children: shown ? (_jsx(shown.Content, {})) : (_jsx(EmptyState, { icon: "search", title: strings.errors.noPageTitle, children: _jsx("p", { children: strings.errors.notFoundText }) })) }) }));
}
