import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { words } from '../words/words.ts';

/** For addresses that are no page. */
export function NotFound() {
  return (
    <Page title={words.shared.errors.notFoundTitle} width="narrow">
      <EmptyState
        icon="search"
        title={words.shared.errors.noPageTitle}
        action={
          <ButtonLink to="/" icon="arrow">
            {words.shared.errors.toStart}
          </ButtonLink>
        }
      >
        <p>{words.shared.errors.notFoundText}</p>
      </EmptyState>
    </Page>
  );
}
