import { useSearch } from '@tanstack/react-router';
import { Notice } from '../../components/notice.tsx';
import { Greeting } from '../../shell/greeting.tsx';
import { strings } from '../../strings.ts';

/** After signing out, and after a sign-in that failed. */
export function SignedOutPage() {
  const { error } = useSearch({ from: '/signed-out' });
  const { title, lead, signedOutTitle, signedOutLead, problems, otherProblem } = strings.greeting;
  if (error === undefined) return <Greeting title={signedOutTitle} lead={signedOutLead} returnTo="/" />;
  return (
    <Greeting title={title} lead={lead} returnTo="/">
      <Notice tone="bad" isLive>
        {Object.hasOwn(problems, error) ? problems[error] : otherProblem(error)}
      </Notice>
    </Greeting>
  );
}
