import { ApiError, needsSignIn } from '../api/api-error.ts';
import { words } from '../words/words.ts';
import { Notice } from './notice.tsx';
import { RequestId } from './request-id.tsx';

interface ErrorNoticeProps {
  error: Error;
  title?: string | undefined;
  children?: React.ReactNode;
}

/** Says what failed, what to do, and what to quote. Read out as soon as it appears. */
export function ErrorNotice({ error, title, children }: ErrorNoticeProps) {
  if (needsSignIn(error))
    return (
      <Notice tone="warn" isLive>
        {words.shared.errors.signInAgain}
      </Notice>
    );
  const isForbidden = error instanceof ApiError && error.code === 'permission_missing';
  return (
    <Notice tone="bad" title={title} isLive>
      {children || <p>{sentence(error.message)}</p>}
      {isForbidden && <p>{words.shared.errors.forbidden}</p>}
      <RequestId error={error} />
    </Notice>
  );
}

/** The service's messages begin in lower case and have no full stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
