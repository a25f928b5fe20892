import { type Account, nameOf } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { sentence } from '../../components/error-notice.tsx';
import { Row, Stack } from '../../components/layout.tsx';
import { Link } from '../../components/link.tsx';
import { Section } from '../../components/section.tsx';
import { Status, type Tone } from '../../components/status.tsx';
import { VisuallyHidden } from '../../components/visually-hidden.tsx';
import { excerptOf, type Post } from '../../posts/post.ts';
import { words } from '../../words/words.ts';
import classes from './post.module.css';

const texts = words.postPage.chain;

type ChainStep = Post['chain'][number];

const tones: Readonly<Record<ChainStep['status'], Tone>> = {
  waiting: 'info',
  fired: 'good',
  skipped: 'neutral',
  failed: 'bad',
};

interface ChainSectionProps {
  post: Post;
  accounts: ReadonlyMap<string, Account> | undefined;
}

/** The steps that follow the post, with what became of them. */
export function ChainSection({ post: { chain }, accounts }: ChainSectionProps) {
  return (
    <Section title={texts.title} lead={texts.lead}>
      <ol className={classes.steps}>
        {chain.map((step, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no other name
          <StepItem key={place} step={step} number={place + 1} accounts={accounts} />
        ))}
      </ol>
    </Section>
  );
}

interface StepItemProps {
  step: ChainStep;
  number: number;
  accounts: ChainSectionProps['accounts'];
}

function StepItem({ step, number, accounts }: StepItemProps) {
  const { kind, status, postId, error, accountIds, afterMinutes, content, mediaItems } = step;
  const text = content === null ? texts.sameContent : (excerptOf({ content }) ?? words.post.noText);
  return (
    <li className={classes.step}>
      <span className={classes.stepNumber} aria-hidden="true">
        {number}
      </span>
      <Stack gap={1}>
        <Row gap={3}>
          <h3 className={classes.stepTitle}>
            {texts.kinds[kind]}, {texts.after(afterMinutes)}
          </h3>
          <Status tone={tones[status]} {...(status === 'skipped' && { icon: 'stop' })}>
            {texts.statuses[status]}
          </Status>
        </Row>
        <p className={classes.stepWords}>
          <bdi>{text}</bdi>
          {mediaItems.length > 0 && ` · ${texts.media(mediaItems.length)}`}
        </p>
        <Accounts ids={accountIds} accounts={accounts} />
        {status === 'skipped' && <p className={classes.stepMinor}>{texts.skipped}</p>}
        {error !== null && (
          <p dir="auto" className={classes.stepError}>
            {sentence(error)}
          </p>
        )}
        {postId !== null && (
          <p>
            <Link to="/posts/$id" params={{ id: postId }}>
              {texts.open}
            </Link>
          </p>
        )}
      </Stack>
    </li>
  );
}

const shownMarks = 6;

function Accounts({ ids, accounts }: { ids: readonly string[]; accounts: ChainSectionProps['accounts'] }) {
  if (accounts === undefined) return <p className={classes.stepAccounts}>{texts.accounts(ids.length)}</p>;
  const found = ids.map((id) => accounts.get(id));
  const names = found.map((account) => (account ? nameOf(account) : words.account.disconnected));
  return (
    <p className={classes.stepAccounts}>
      {found
        .slice(0, shownMarks)
        .map(
          (account) => account && <PlatformMark key={account.id} platform={account.platform} size="small" />,
        )}
      {ids.length === 1 ? (
        <bdi>{names[0]}</bdi>
      ) : (
        <>
          <span aria-hidden="true">{texts.accounts(ids.length)}</span>
          <VisuallyHidden>{names.join(', ')}</VisuallyHidden>
        </>
      )}
    </p>
  );
}
