import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { strings } from '../strings.ts';

/** For addresses that are no page. */
export function NotFound() {
  return (
    <Page title={strings.errors.notFoundTitle} width="narrow">
      <EmptyState
        icon="search"
        title={strings.errors.noPageTitle}
        action={
          <ButtonLink to="/" icon="arrow">
            {strings.errors.toStart}
          </ButtonLink>
        }
      >
        <p>{strings.errors.notFoundText}</p>
      </EmptyState>
    </Page>
  );
}
