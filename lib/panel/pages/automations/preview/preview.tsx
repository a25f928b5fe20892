import { useState } from 'react';
import { automationLimits } from '../../../../automations/limits.ts';
import { matchesComment } from '../../../../automations/matching/match-comment.ts';
import { ownMentionLength } from '../../../../automations/matching/own-mention.ts';
import type { Account } from '../../../accounts/account.ts';
import { Status } from '../../../components/status.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { findMatch } from './highlight.ts';
import classes from './phone.module.css';
import { Phone, type Shown } from './phone.tsx';

const texts = words.automationsPage.preview;

interface PreviewProps {
  automation: Shown;
  account: Account | undefined;
}

/** A comment that is matched while somebody types it, and what it sets off. */
export function Preview({ automation, account }: PreviewProps) {
  const [typed, setTyped] = useState('');
  const sample = automation.keywords[0] ?? texts.sample;
  const comment = typed.trim() === '' ? sample : typed;
  const matching = { ...automation, keywords: [...automation.keywords] };
  const from = ownMentionLength(comment, account?.username ?? null);
  const match = findMatch(matching, comment, from);
  const isMatch = matchesComment(matching, comment.slice(from));
  return (
    <section className={classes.preview} aria-label={texts.title}>
      <h2>{texts.title}</h2>
      <TextField
        label={texts.comment}
        help={texts.commentHelp}
        value={typed}
        onChange={setTyped}
        placeholder={sample}
        maxLength={automationLimits.commentCharacters}
      />
      <div role="status" className={classes.verdict}>
        {!isMatch ? (
          <Status tone="neutral" icon="cross">
            {texts.misses}
          </Status>
        ) : (
          <Status tone="good">{match ? texts.matches(match.keyword) : texts.matchesAll}</Status>
        )}
      </div>
      <Phone automation={automation} account={account} comment={comment} />
      <p className={classes.about}>{texts.about}</p>
    </section>
  );
}
