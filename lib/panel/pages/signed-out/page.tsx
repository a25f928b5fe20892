import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { signedOutPerson } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Greeting } from '../../shell/greeting.tsx';
import { countKept, deleteKept } from '../../unfinished/kept-work.ts';
import { ofBrowser } from '../../unfinished/use-kept-work.ts';
import { words } from '../../words/words.ts';

const texts = words.greeting;

/** The page after signing out, and after a sign-in that failed. Anybody can make a link to it, so it shows texts of ours only. */
export function SignedOutPage() {
  const { error } = useSearch({ from: '/signed-out' });
  if (error === undefined) return <SignedOut />;
  return (
    <Greeting returnTo="/">
      <Notice tone="bad" isLive>
        {Object.hasOwn(texts.problems, error) ? texts.problems[error] : texts.otherProblem}
      </Notice>
    </Greeting>
  );
}

/** Offers to delete the unfinished work of the person who has signed out in this tab. That of others is theirs. */
function SignedOut() {
  const [{ all, own }, setKept] = useState(readKept);
  const personId = signedOutPerson();
  return (
    <Greeting
      title={texts.signedOutTitle}
      lead={all > 0 ? texts.signedOutWithDrafts : texts.signedOutLead}
      returnTo="/"
    >
      {personId !== undefined && own > 0 && (
        <Notice
          tone="info"
          actions={
            <Button
              size="small"
              icon="trash"
              onPress={() => {
                deleteKept(ofBrowser, personId);
                setKept(readKept());
              }}
            >
              {texts.deleteDrafts(own)}
            </Button>
          }
        >
          {texts.yourDrafts(own)}
        </Notice>
      )}
    </Greeting>
  );
}

function readKept() {
  const personId = signedOutPerson();
  return {
    all: countKept(ofBrowser),
    own: personId === undefined ? 0 : countKept(ofBrowser, personId),
  };
}
