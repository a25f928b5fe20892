import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { createPostOperation } from '../../../posts/request/operations.ts';
import type { Account } from '../../accounts/account.ts';
import { PlatformMark } from '../../accounts/platform-mark.tsx';
import { useAccounts, useAccountsById } from '../../accounts/use-accounts.ts';
import { useSend } from '../../api/hooks.ts';
import { Button } from '../../components/button.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { IconButton } from '../../components/icon-button.tsx';
import { Clipped, Muted } from '../../components/layout.tsx';
import { ButtonLink, Link } from '../../components/link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Section } from '../../components/section.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { toast } from '../../components/toast-list.ts';
import { takeCarried } from '../../media/library.ts';
import { excerptOf, type Post } from '../../posts/post.ts';
import type { KeptWork } from '../../unfinished/kept-work.ts';
import { instantOf } from '../../wall-clock.ts';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../../workspace.tsx';
import { isRefusal, useRefused } from './check.tsx';
import classes from './composer.module.css';
import { Composer } from './composer.tsx';
import { accountName } from './context.ts';
import { act } from './draft/actions.ts';
import { type Draft, type KeptPost, newDraft } from './draft/draft.ts';
import { fromPost, inZone } from './draft/from-post.ts';
import { isSameDraft } from './draft/rebase.ts';
import { type Intent, toRequest } from './draft/to-request.ts';
import { useKeptDraft, useKeptPosts } from './kept-draft.ts';
import { handOverUploads, postPaths, useCopyAsNew, useDone } from './sending.ts';

/** A new post. The URL names its draft as soon as this browser keeps it. */
export function ComposePage() {
  const { name } = useWorkspace();
  const accounts = useAccounts();
  const { id, renew } = useDraftId();
  return (
    <Page
      title={words.composer.newTitle}
      of={name}
      back={<Link to="/calendar">{words.composer.backToCalendar}</Link>}
    >
      {accounts.data ? (
        <NewPost key={id} id={id} onAnother={renew} />
      ) : accounts.isError ? (
        <ErrorState
          error={accounts.error}
          onRetry={() => void accounts.refetch()}
          isRetrying={accounts.isFetching}
        />
      ) : (
        <Skeleton rows={6} />
      )}
    </Page>
  );
}

/**
 * The draft that the URL names; without one, a new id, which stays when the URL gets it, and is another one for the next new post. One that
 * is no longer kept may have been sent: a new text with its id would be taken for the same post.
 *
 * @returns `renew` takes another id for the page without a draft in its URL
 */
function useDraftId(): { id: string; renew: () => void } {
  const { draft: asked } = useSearch({ from: '/shell/compose' });
  const drafts = useKeptPosts();
  const [fresh, setFresh] = useState(() => ({ id: crypto.randomUUID() as string, isUsed: false }));
  const find = () => ({
    asked,
    isMissing: asked !== undefined && drafts.get(asked, Date.now()) === undefined,
  });
  const [found, setFound] = useState(find);
  if (found.asked !== asked) setFound(asked === fresh.id ? { asked, isMissing: false } : find());
  const isNew = asked === undefined || found.isMissing;
  if (asked === fresh.id && !fresh.isUsed) setFresh({ ...fresh, isUsed: true });
  if (isNew && fresh.isUsed) setFresh({ id: crypto.randomUUID(), isUsed: false });
  const renew = () => setFresh({ id: crypto.randomUUID(), isUsed: false });
  return { id: isNew ? fresh.id : asked, renew };
}

interface NewPostProps {
  id: string;
  onAnother: () => void;
}

function NewPost({ id, onAnother }: NewPostProps) {
  const search = useSearch({ from: '/shell/compose' });
  const navigate = useNavigate();
  const drafts = useKeptPosts();
  const accounts = useAccountsById() ?? new Map();
  const { timezone } = useWorkspace();
  const [{ initial, isMissing }] = useState((): { initial: KeptPost; isMissing: boolean } => {
    const found = drafts.get(id, Date.now());
    if (found !== undefined)
      return { initial: { ...found, draft: inZone(found.draft, timezone) }, isMissing: false };
    const account = search.account === undefined ? undefined : accounts.get(search.account);
    const fresh = prefilled(newDraft(id, timezone), account, search.at);
    const draft = { ...fresh, media: takeCarried() };
    return { initial: { draft, editedAt: 0 }, isMissing: search.draft !== undefined };
  });
  const kept = useKeptDraft(initial);
  const { draft, latest, keeping, act: change } = kept;
  /** The id of the post that it has become: the form is not shown again, also not if somebody comes back before the next page is there. */
  const [sentAs, setSentAs] = useState<string>();
  const [mismatch, setMismatch] = useState<Post>();
  const [intent, setIntent] = useState<Intent>();
  const create = useSend<typeof createPostOperation>('POST', '/v1/posts', postPaths);
  const done = useDone();

  useEffect(() => {
    if (keeping === 'kept' && search.draft !== id)
      void navigate({ to: '/compose', search: { draft: id }, replace: true, resetScroll: false });
  }, [keeping, search.draft, id, navigate]);

  useEffect(() => {
    if (draft.timezone !== timezone) change({ do: 'replace', draft: inZone(draft, timezone) });
  }, [draft, timezone, change]);

  const refused = useRefused(create.error, draft);

  const send = (intent: Intent) => {
    setIntent(intent);
    create.mutate(
      { body: toRequest(draft, intent) },
      {
        onSuccess: (reply) => {
          if ('idempotencyMismatch' in reply && reply.idempotencyMismatch) return setMismatch(reply.post);
          // What was typed while it was sent is not in it, and becomes an unsaved change.
          if (!isSameDraft(draft, latest())) keepAsChange(reply.post);
          handOverUploads(draft, fromPost(reply.post, timezone));
          kept.finish(reply.post.id);
          setSentAs(reply.post.id);
          const said =
            intent === 'keep'
              ? words.composer.done.draft
              : draft.when.kind === 'now'
                ? words.composer.done.publishing
                : words.composer.done.scheduled;
          done(reply.post, intent, said, reply.warnings.length);
        },
      },
    );
  };

  const keepAsChange = (post: Post) =>
    drafts.set(post.id, {
      draft: { ...latest(), id: post.id },
      editedAt: Date.now(),
      before: fromPost(post, timezone),
    });

  /** The typed text becomes an unsaved change of the post that an earlier try has made. */
  const putInto = (post: Post) => {
    const { id } = post;
    keepAsChange(post);
    handOverUploads(draft, { ...draft, id });
    kept.finish(id);
    setSentAs(id);
    void navigate({ to: '/posts/$id/edit', params: { id } });
  };

  if (sentAs !== undefined || kept.sentElsewhere !== undefined)
    return (
      <SentPost
        postId={sentAs ?? kept.sentElsewhere ?? ''}
        elsewhere={sentAs === undefined ? draft : undefined}
        onAnother={() => {
          onAnother();
          void navigate({ to: '/compose', search: {} });
        }}
      />
    );
  return (
    <Composer
      kept={kept}
      accounts={accounts}
      isNew
      keepLabel={words.composer.bar.saveDraft}
      sendLabel={sendLabels[draft.when.kind]}
      pending={create.isPending ? intent : undefined}
      error={isRefusal(create.error) ? null : create.error}
      errorTitle={words.composer.failed.create}
      refused={refused}
      onSend={send}
    >
      {isMissing && <Notice tone="info">{words.composer.unfinished.missing}</Notice>}
      {kept.isElsewhere && (
        <Notice tone="info" isLive>
          {words.composer.elsewhere.open}
        </Notice>
      )}
      {mismatch !== undefined && (
        <Notice
          tone="warn"
          isLive
          title={words.composer.mismatch.title}
          actions={
            <>
              <Button size="small" variant="primary" onPress={() => putInto(mismatch)}>
                {words.composer.mismatch.apply}
              </Button>
              <ButtonLink size="small" to="/posts/$id" params={{ id: mismatch.id }}>
                {words.composer.mismatch.open}
              </ButtonLink>
            </>
          }
        >
          {words.composer.mismatch.text}
        </Notice>
      )}
      {initial.editedAt === 0 && keeping === 'nothing' && (
        <Unfinished drafts={drafts} except={id} accounts={accounts} />
      )}
    </Composer>
  );
}

/** Returns a draft with what the URL asks for: an account, and a time such as `2026-11-19T10:00`, with an offset if it comes twice. */
function prefilled(draft: Draft, account: Account | undefined, at = ''): Draft {
  const addressed = account === undefined ? draft : act(draft, { do: 'toggle', account });
  const [exact, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)([+-]\d\d:\d\d)?/.exec(at) ?? [];
  if (date === undefined || time === undefined) return addressed;
  const reading = instantOf({ date, time }, draft.timezone);
  const isSecond = reading?.kind === 'repeated' && reading.second.getTime() === Date.parse(exact ?? '');
  return act(addressed, {
    do: 'plan',
    when: { kind: 'at', time: { date, time, ...(isSecond && { isSecond }) } },
  });
}

const sendLabels = {
  at: words.composer.bar.schedule,
  slot: words.composer.bar.scheduleSlot,
  now: words.composer.bar.publish,
} as const;

interface SentPostProps {
  postId: string;
  elsewhere: Draft | undefined;
  onAnother: () => void;
}

const sentTexts = words.composer.elsewhere;

/** A note in place of the form of a post that was sent, so that it is not sent again. */
function SentPost({ postId, elsewhere, onAnother }: SentPostProps) {
  const copyAsNew = useCopyAsNew();
  return (
    <div className={classes.composer}>
      <Notice
        tone={elsewhere === undefined ? 'info' : 'warn'}
        isLive
        actions={
          <>
            <ButtonLink size="small" to="/posts/$id" params={{ id: postId }}>
              {sentTexts.sentLink}
            </ButtonLink>
            {elsewhere === undefined ? (
              <Button size="small" onPress={onAnother}>
                {words.post.newPost}
              </Button>
            ) : (
              <Button size="small" onPress={() => copyAsNew(elsewhere)}>
                {sentTexts.again}
              </Button>
            )}
          </>
        }
      >
        {elsewhere === undefined ? sentTexts.saved : sentTexts.sent}
        {elsewhere !== undefined && (
          <Clipped as="p" lines={3}>
            {elsewhere.content}
          </Clipped>
        )}
      </Notice>
    </div>
  );
}

interface UnfinishedProps {
  drafts: KeptWork<Draft>;
  except: string;
  accounts: ReadonlyMap<string, Account>;
}

const texts = words.composer.unfinished;
const fewest = 3;

/** The drafts that this browser keeps, to go on with. */
function Unfinished({ drafts, except, accounts }: UnfinishedProps) {
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
      <ul className={classes.drafts}>
        {shown.map((kept) => {
          const { draft, editedAt } = kept;
          const name = excerptOf(draft, 60) ?? texts.nothing;
          return (
            <li key={draft.id}>
              <div className={classes.draftText}>
                <Link to="/compose" search={{ draft: draft.id }}>
                  {name}
                </Link>
                <Muted as="span">
                  {texts.edited} <Time at={new Date(editedAt).toISOString()} isRelative />
                </Muted>
              </div>
              <span className={classes.marks}>
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
