import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { newQueryClient } from './api/query-client.ts';
import { newRouter } from './router.tsx';
import { ErrorBoundary } from './shell/failures.tsx';
import { locale } from './words/words.ts';

const queries = newQueryClient();
const router = newRouter();

/** The whole panel. */
export function App() {
  return (
    <ErrorBoundary>
      <I18nProvider locale={locale}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </ErrorBoundary>
  );
}
