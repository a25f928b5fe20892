import type { ErrorComponentProps } from '@tanstack/react-router';
import { Button } from '../components/button.tsx';
import { CodeBlock } from '../components/code-block.tsx';
import { words } from '../words/words.ts';
import classes from './page-failure.module.css';

/** In place of a page with an error of its own. The navigation stays. */
export function PageFailure({ error }: ErrorComponentProps) {
  return <FailureText error={error instanceof Error ? error : new Error(String(error))} />;
}

export function FailureText({ error }: { error: Error }) {
  return (
    <div className={classes.failure} role="alert">
      <h1>{words.shared.errors.pageTitle}</h1>
      <p>{words.shared.errors.pageText}</p>
      <CodeBlock
        label={error.name}
        code={`${error.message}\n${location.pathname}`}
        copyLabel={words.shared.errors.copyReport}
      />
      <p>
        <Button variant="primary" icon="refresh" onPress={() => location.reload()}>
          {words.shared.errors.reload}
        </Button>
      </p>
    </div>
  );
}
