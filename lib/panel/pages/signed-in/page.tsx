import { useEffect } from 'react';
import { isSignInWindow, session } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { strings } from '../../strings.ts';

/** Where the window ends that the panel opens to sign in again: it tells the page that waits, and closes. */
export function SignedInPage() {
  useEffect(() => {
    document.title = strings.pageTitle(strings.session.signedInTitle);
    session.announce('signed-in');
    // A browser that does not let it close shows the text.
    if (isSignInWindow()) window.close();
  }, []);
  return (
    <main>
      <EmptyState
        icon="check"
        level={1}
        title={strings.session.signedInTitle}
        action={<ButtonLink to="/">{strings.session.signedInContinue}</ButtonLink>}
      >
        <p>{strings.session.signedInText}</p>
      </EmptyState>
    </main>
  );
}
