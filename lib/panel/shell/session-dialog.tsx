import { useEffect, useState } from 'react';
import { openSignIn, type Reason, session, signInUrl } from '../api/session.ts';
import { useStore } from '../api/store.ts';
import { Button } from '../components/button.tsx';
import { Dialog, DialogActions, DialogBody } from '../components/dialog.tsx';
import { Spinner } from '../components/spinner.tsx';
import { words } from '../words/words.ts';
import classes from './session-dialog.module.css';

/** Asks the person to sign in while the page stays as it is. Then the requests that failed are sent again. */
export function SessionDialog() {
  const { asks } = useStore(session.store);
  return asks === undefined ? null : <Question key={asks} reason={asks} />;
}

function Question({ reason }: { reason: Reason }) {
  const [state, setState] = useState<'asks' | 'waits' | 'blocked'>('asks');
  useEffect(() => {
    const check = () => void session.check();
    window.addEventListener('focus', check);
    return () => window.removeEventListener('focus', check);
  }, []);
  const texts = words.session;
  const url = signInUrl('/signed-in', reason === 'again');
  const open = () => setState(openSignIn(url) ? 'waits' : 'blocked');
  return (
    <Dialog title={reason === 'ended' ? texts.endedTitle : texts.againTitle} isOpen onClose={session.dismiss}>
      <DialogBody>
        <p>{reason === 'ended' ? texts.endedText : texts.againText}</p>
        <p role="status" className={classes.waiting}>
          {state === 'waits' && (
            <>
              <Spinner /> {texts.waiting}
            </>
          )}
          {state === 'blocked' && (
            <a href={url} target="_blank" rel="noreferrer">
              {texts.blocked}
            </a>
          )}
        </p>
      </DialogBody>
      <DialogActions>
        <Button onPress={session.dismiss}>{texts.notNow}</Button>
        <Button variant="primary" onPress={open} autoFocus>
          {texts.signIn}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
