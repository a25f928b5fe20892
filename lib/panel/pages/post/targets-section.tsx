import { useState } from 'react';
import type { Account } from '../../accounts/account.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { ButtonLink } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import type { Post } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import classes from './target-card.module.css';
import { TargetCard } from './target-card.tsx';
import { byUrgency, countsOf } from './targets.ts';

const texts = words.postPage.targets;
const shownAtFirst = 12;

interface TargetsSectionProps {
  post: Post;
  accounts: ReadonlyMap<string, Account> | undefined;
  now: number;
}

/** What became of the post at each destination. */
export function TargetsSection({ post, accounts, now }: TargetsSectionProps) {
  const [isAll, setAll] = useState(false);
  const targets = byUrgency(post.platforms);
  const shown = isAll ? targets : targets.slice(0, shownAtFirst);
  return (
    <Section
      title={texts.title}
      lead={
        targets.length > 1
          ? countsOf(targets)
              .map(({ condition, number }) => texts.summary(number, words.post.conditions[condition]))
              .join(' · ')
          : undefined
      }
    >
      {targets.length === 0 && (
        <div className={classes['none']}>
          <p>{texts.none}</p>
          <ButtonLink to="/posts/$id/edit" params={{ id: post.id }} size="small" icon="pencil">
            {texts.choose}
          </ButtonLink>
        </div>
      )}
      <ul className={join(targets.length > 0 && classes['targets'])} aria-label={texts.title}>
        {shown.map((target) => (
          <TargetCard
            key={target.accountId}
            target={target}
            post={post}
            account={accounts?.get(target.accountId)}
            accounts={accounts}
            now={now}
          />
        ))}
      </ul>
      {shown.length < targets.length && (
        <div>
          <Button size="small" onPress={() => setAll(true)}>
            {texts.showAll(targets.length)}
          </Button>
        </div>
      )}
    </Section>
  );
}
