import type { ErrorComponentProps } from '@tanstack/react-router';
import { Component, type ReactNode } from 'react';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ButtonLink } from '../components/link.tsx';
import { Page } from '../components/page.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { words } from '../words/words.ts';
import classes from './shell.module.css';

interface State {
  error: Error | undefined;
}

/** The last resort: shows what failed instead of an empty page. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    return error === undefined ? this.props.children : <FailureText error={error} />;
  }
}

/** Takes the place of a page with an error of its own. The navigation stays. */
export function PageFailure({ error }: ErrorComponentProps) {
  return <FailureText error={error instanceof Error ? error : new Error(String(error))} />;
}

function FailureText({ error }: { error: Error }) {
  return (
    <div className={classes.failure} role="alert">
      <h1>{words.shared.errors.pageTitle}</h1>
      <p>{words.shared.errors.pageText}</p>
      <CodeBlock label={error.name} code={error.message} copyLabel={words.shared.errors.copyReport} />
      <p>
        <Button variant="primary" icon="refresh" onPress={() => location.reload()}>
          {words.shared.errors.reload}
        </Button>
      </p>
    </div>
  );
}

/** Takes the place of a page that does not exist. */
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

/** While the code of a page loads. */
export function PagePending() {
  return <Skeleton rows={5} />;
}
