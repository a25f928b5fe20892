import { useSearch } from '@tanstack/react-router';
import { Notice } from '../../components/notice.tsx';
import { keptPrefix } from '../../posts/kept-prefix.ts';
import { Greeting } from '../../shell/greeting.tsx';
import { words } from '../../words/words.ts';

/** Whether somebody has left unfinished posts in this browser. */
function keepsDrafts(): boolean {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith(keptPrefix));
  } catch {
    return false;
  }
}

/** After signing out, and after a sign-in that failed. */
export function SignedOutPage() {
  const { error } = useSearch({ from: '/signed-out' });
  const { title, lead, signedOutTitle, signedOutLead, signedOutWithDrafts, problems, otherProblem } =
    words.shared.greeting;
  if (error === undefined)
    return (
      <Greeting
        title={signedOutTitle}
        lead={keepsDrafts() ? signedOutWithDrafts : signedOutLead}
        returnTo="/"
      />
    );
  return (
    <Greeting title={title} lead={lead} returnTo="/">
      <Notice tone="bad" isLive>
        {Object.hasOwn(problems, error) ? problems[error] : otherProblem(error)}
      </Notice>
    </Greeting>
  );
}
