import { useSyncExternalStore } from 'react';
import { session } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Notice } from '../components/notice.tsx';
import { words } from '../words/words.ts';
import { useWorkspace } from '../workspace.tsx';
import classes from './notices.module.css';

/** What concerns the whole panel, above the page. */
export function Notices() {
  const isOnline = useSyncExternalStore(subscribeToConnection, () => navigator.onLine);
  const { isEnded, asks } = useStore(session.store);
  const { isSuspended } = useWorkspace();
  return (
    <div className={classes.notices} role="status">
      {!isOnline && <Notice tone="warn">{words.shared.offline}</Notice>}
      {isEnded && asks === undefined && (
        <Notice
          tone="warn"
          actions={
            <Button size="small" onPress={session.ask}>
              {words.shared.session.signIn}
            </Button>
          }
        >
          {words.shared.session.endedNotice}
        </Notice>
      )}
      {isSuspended && <Notice tone="bad">{words.shared.workspaces.suspendedNotice}</Notice>}
    </div>
  );
}

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}
