import { jsx as _jsx } from "react/jsx-runtime";
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { strings } from '../strings.ts';
/** For addresses that are no page. */
export function NotFound() {
    return (_jsx(Page, { title: strings.errors.notFoundTitle, width: "narrow", children: _jsx(EmptyState, { icon: "search", title: strings.errors.noPageTitle, action: _jsx(ButtonLink, { to: "/", icon: "arrow", children: strings.errors.toStart }), children: _jsx("p", { children: strings.errors.notFoundText }) }) }));
}
