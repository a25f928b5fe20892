import { useState } from 'react';
import type { Account } from '../../../accounts/account.ts';
import { PlatformMark } from '../../../accounts/platform-mark.tsx';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Link } from '../../../components/link.tsx';
import { Section } from '../../../components/section.tsx';
import textClasses from '../../../components/texts.module.css';
import { Time } from '../../../components/time.tsx';
import { toast } from '../../../components/toast-list.ts';
import { excerptOf } from '../../../posts/post.ts';
import type { KeptWork } from '../../../unfinished/kept-work.ts';
import { words } from '../../../words/words.ts';
import type { Draft } from '../draft/draft.ts';
import { accountName } from './context.ts';
import classes from './unfinished.module.css';

interface UnfinishedProps {
  drafts: KeptWork<Draft>;
  except: string;
  accounts: ReadonlyMap<string, Account>;
}

const texts = words.composer.unfinished;
const fewest = 3;

/** The drafts that this browser keeps, to go on with. */
export function Unfinished({ drafts, except, accounts }: UnfinishedProps) {
  const [listed, setListed] = useState(() => drafts.list(Date.now()));
  const [isAll, setIsAll] = useState(false);
  const found = listed.filter(({ draft }) => draft.id !== except);
  if (found.length === 0) return null;
  const shown = isAll ? found : found.slice(0, fewest);
  const discard = (kept: (typeof found)[number]) => {
    drafts.remove(kept.draft.id);
    setListed(drafts.list(Date.now()));
    toast({
      text: texts.discarded,
      tone: 'neutral',
      action: {
        label: words.shared.toasts.undo,
        run: () => {
          drafts.set(kept.draft.id, kept);
          setListed(drafts.list(Date.now()));
        },
      },
    });
  };
  return (
    <Section title={texts.title} isCard>
      <ul className={classes['list']}>
        {shown.map((kept) => {
          const { draft, editedAt } = kept;
          const name = excerptOf(draft, 60) ?? texts.nothing;
          return (
            <li key={draft.id}>
              <div className={classes['text']}>
                <Link to="/compose" search={{ draft: draft.id }}>
                  {name}
                </Link>
                <span className={textClasses['minor']}>
                  {texts.edited} <Time at={new Date(editedAt).toISOString()} isRelative />
                </span>
              </div>
              <span className={classes['marks']}>
                {draft.destinations.slice(0, 6).map(({ accountId, platform }) => (
                  <span key={accountId} title={accountName(accounts, accountId, platform)}>
                    <PlatformMark platform={platform} />
                  </span>
                ))}
              </span>
              <IconButton
                icon="trash"
                size="small"
                label={`${texts.discard}: ${name}`}
                onPress={() => discard(kept)}
              />
            </li>
          );
        })}
      </ul>
      {found.length > shown.length && (
        <div>
          <Button size="small" variant="quiet" onPress={() => setIsAll(true)}>
            {texts.all(found.length)}
          </Button>
        </div>
      )}
    </Section>
  );
}
