import { ApiError } from '../api/api-error.ts';
import { strings } from '../strings.ts';
import { CopyButton } from './copy-button.tsx';
import classes from './request-id.module.css';

/** The id of the request that failed, to copy into a report; nothing if there was no response. */
export function RequestId({ error }: { readonly error: Error }) {
  const id = error instanceof ApiError ? error.requestId : undefined;
  if (id === undefined) return null;
  return (
    <p className={classes['line']}>
      {strings.errors.requestId} <code className={classes['id']}>{id}</code>
      <CopyButton text={id} label={strings.errors.copyRequestId} />
    </p>
  );
}
