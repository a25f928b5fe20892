import { jsx as _jsx } from "react/jsx-runtime";
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { newQueryClient } from './api/query-client.ts';
import { newRouter } from './router.tsx';
import { ErrorBoundary } from './shell/error-boundary.tsx';
import { locale } from './strings.ts';
const queries = newQueryClient();
const router = newRouter();
/** The whole panel. */
export function App() {
    return (_jsx(ErrorBoundary, { children: _jsx(I18nProvider, { locale: locale, children: _jsx(QueryClientProvider, { client: queries, children: _jsx(RouterProvider, { router: router }) }) }) }));
}
