import { useEffect } from 'react';
import { isSignInWindow, session } from '../../api/session.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { words } from '../../words/words.ts';

/** The last page of the window that the panel opens to sign in again: it tells the page that waits, and closes. */
export function SignedInPage() {
  useEffect(() => {
    document.title = words.shared.pageTitle(words.session.signedInTitle);
    session.announce('signed-in');
    // A browser that does not let it close shows the text.
    if (isSignInWindow()) window.close();
  }, []);
  return (
    <main>
      <EmptyState
        icon="check"
        level={1}
        title={words.session.signedInTitle}
        action={<ButtonLink to="/">{words.session.signedInContinue}</ButtonLink>}
      >
        <p>{words.session.signedInText}</p>
      </EmptyState>
    </main>
  );
}
