import { ApiError } from '../api/api-error.ts';
import { words } from '../words/words.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './request-id.module.css';

/** The id of the request that failed, to copy into a report; nothing if there was no response. */
export function RequestId({ error }: { error: Error }) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  if (id === undefined) return null;
  return (
    <p className={classes.line}>
      {words.shared.errors.requestId} <code className={classes.id}>{id}</code>
      <CopyButton text={id} label={words.shared.errors.copyRequestId} />
    </p>
  );
}
