import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { Button as BaseButton } from 'react-aria-components/Button';
import type { Account } from '../../accounts/account.ts';
import { ApiError } from '../../api/api-error.ts';
import { Button } from '../../components/button.tsx';
import { join } from '../../components/classes.ts';
import { Dialog, DialogActions, DialogBody } from '../../components/dialog.tsx';
import { ErrorNotice, sentence } from '../../components/error-notice.tsx';
import { Icon } from '../../components/icon.tsx';
import { Muted } from '../../components/layout.tsx';
import { loadable, useLoaded } from '../../components/loaded.ts';
import { Segmented } from '../../components/segmented.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useCommands } from '../../shortcuts.ts';
import { words } from '../../words/words.ts';
import { AccountsSection } from './accounts.tsx';
import { ChainSection } from './chain-section.tsx';
import { inWords, optionFields, ProblemList, useValidation } from './check.tsx';
import classes from './composer.module.css';
import { accountName, ComposingProvider, useComposing, useSame } from './context.ts';
import { type Draft, isWorthKeeping } from './draft/draft.ts';
import {
  allAccounts,
  checkable,
  type Finding,
  inOrder,
  keys,
  localProblems,
  type Place,
  placeAll,
} from './draft/places.ts';
import { type Intent, instantText, toRequest } from './draft/to-request.ts';
import { AtField, focusField, Said } from './fields.tsx';
import type { Keeping, KeptDraft } from './kept-draft.ts';
import { PreviewsPane } from './previews-pane.tsx';
import { SharedPanel } from './shared-panel.tsx';
import { WhenSection } from './when-section.tsx';

interface ComposerProps {
  kept: KeptDraft;
  accounts: ReadonlyMap<string, Account>;
  isNew: boolean;
  keepLabel: string;
  sendLabel: string;
  pending: Intent | undefined;
  error: Error | null;
  errorTitle: string;
  refused: readonly Finding[];
  onSend: (intent: Intent) => void;
  children?: ReactNode;
}

type View = 'write' | 'preview';

const laterParts = loadable(() => import('./later-parts.ts'));

/** The form of a post, with what is wrong with it and what it will look like. */
export function Composer(props: ComposerProps) {
  const { kept, accounts, isNew, pending, error, errorTitle, refused, onSend, children } = props;
  const { draft, act } = kept;
  const [tab, setTab] = useState<string>(allAccounts);
  const [view, setView] = useState<View>('write');
  const [hasTried, setHasTried] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const [pendingFiles, setPendingFiles] = useState<Readonly<Record<string, number>>>({});
  const setPending = (editor: string, files: number) =>
    setPendingFiles((before) => (before[editor] === files ? before : { ...before, [editor]: files }));

  // Before anything is written, there is nothing to find fault with.
  const isBegun = draft.destinations.length > 0 && (hasTried || !isNew || isWorthKeeping(draft));
  const checked = checkable(draft);
  const validation = useValidation(isBegun ? toRequest(checked, 'send') : undefined);
  const local = localProblems(draft, { isNew, now: Date.now() });
  const options = useLoaded(optionFields, draft.destinations.length + draft.chain.length > 0);
  const found = inWords(placeAll([...validation.problems, ...refused], checked), (each) =>
    options?.controlOf(each, draft),
  );
  // What is merely not filled in yet is no problem until somebody wants to send it.
  const blocking = inOrder([...local, ...found], draft);
  // An answer about an earlier text keeps nobody from sending this one: then the service decides.
  const certain =
    validation.state === 'current' ? blocking : inOrder([...local, ...placeAll(refused, draft)], draft);
  const problems = useSame(hasTried ? blocking : inOrder(found, draft));
  const warnings = useSame(placeAll(validation.warnings, checked));
  const [wanted, setWanted] = useState<Place>();
  const go = (place: Place) => {
    setView('write');
    if (place.tab !== undefined) setTab(place.tab);
    setWanted({ ...place });
  };
  useEffect(() => {
    // By now its tab is in sight.
    if (wanted !== undefined) focusField(wanted.key);
  }, [wanted]);

  const later = useLoaded(laterParts);
  const selected = draft.destinations.some(({ accountId }) => accountId === tab) ? tab : allAccounts;
  const goToRefused = useEffectEvent(() => {
    const [first] = placeAll(refused, draft);
    if (first !== undefined) go(first.place);
  });
  useEffect(() => {
    if (refused.length > 0) goToRefused();
  }, [refused]);

  const awaited = filePlaces(draft).filter(({ key }) => (pendingFiles[key] ?? 0) > 0);
  const uploading = awaited.reduce((sum, { key }) => sum + (pendingFiles[key] ?? 0), 0);
  const keep = () => {
    if (pending !== undefined) return;
    // The service takes no step that is not complete, and nothing is left out without a word.
    const unfinished = local.find(({ place }) => place.key.startsWith('step-'));
    if (unfinished === undefined) return onSend('keep');
    setHasTried(true);
    go(unfinished.place);
  };
  const send = () => {
    if (pending !== undefined) return;
    setHasTried(true);
    const [first] = certain;
    if (first !== undefined) return go(first.place);
    const [file] = awaited;
    if (file !== undefined) return go(file);
    if (draft.when.kind === 'now') setIsAsking(true);
    else onSend('send');
  };
  useCommands([
    { name: props.keepLabel, icon: 'pencil', group: 'page', keys: 'mod+s', run: keep },
    { name: props.sendLabel, icon: 'calendar', group: 'page', keys: 'mod+enter', run: send },
  ]);
  const hint =
    uploading > 0
      ? words.composer.files.pending(uploading)
      : (hasTried || refused.length > 0) && blocking.length > 0
        ? words.composer.bar.first(blocking.length)
        : undefined;
  return (
    <ComposingProvider
      value={{ draft, act, accounts, problems, warnings, checked: validation.answer, isNew, go, setPending }}
    >
      <div className={classes.composer} data-full-screen>
        {children}
        <div className={classes.views}>
          <Segmented
            label={words.composer.views.label}
            choices={(['write', 'preview'] as const).map((id) => ({ id, name: words.composer.views[id] }))}
            value={view}
            onChange={setView}
            isWide
          />
        </div>
        <div className={join(classes.columns, classes[view])}>
          <div className={classes.form}>
            <AccountsSection />
            {draft.destinations.length === 0 ? (
              <SharedPanel />
            ) : later === undefined ? (
              <Skeleton rows={6} />
            ) : (
              <later.DestinationTabs selected={selected} onSelect={setTab} />
            )}
            <WhenSection />
            <ChainSection />
            <Tags />
            <ForPrograms />
          </div>
          <div className={classes.side}>
            <div className={classes.previews}>
              <PreviewsPane selected={selected} />
            </div>
            <ProblemList validation={validation} Findings={later?.Findings} />
          </div>
        </div>
        {error && (
          <ErrorNotice error={error} title={errorTitle}>
            <p>
              {adviceOn(error)} {words.composer.failed.kept}
            </p>
          </ErrorNotice>
        )}
        <ActionBar
          keeping={kept.keeping}
          hint={hint}
          keepLabel={props.keepLabel}
          sendLabel={props.sendLabel}
          pending={pending}
          onKeep={keep}
          onSend={send}
        />
        {isAsking && <PublishDialog onClose={() => setIsAsking(false)} onConfirm={() => onSend('send')} />}
      </div>
    </ComposingProvider>
  );
}

/** Says what to do about a failure. */
function adviceOn(error: Error): string {
  const { failed } = words.composer;
  if (!(error instanceof ApiError)) return sentence(error.message);
  const { status, code, retryAfterMs } = error;
  if (status === 413 && code === 'malformed') return failed.tooLarge;
  if (status !== 429) return sentence(error.message);
  const wait = retryAfterMs === undefined ? failed.waitLonger : failed.wait(Math.ceil(retryAfterMs / 1_000));
  return `${sentence(error.message)} ${wait}`;
}

/** The editors of files that a draft has. One that was taken out, such as of a removed step, is not waited for. */
const filePlaces = ({ destinations, chain }: Draft): readonly Place[] => [
  { key: keys.media, tab: allAccounts },
  ...destinations.flatMap(({ accountId, media }) =>
    media === undefined ? [] : [{ key: keys.ownMedia(accountId), tab: accountId }],
  ),
  ...chain.flatMap(({ key, kind }) => (kind === 'followUp' ? [{ key: keys.step(key, 'media') }] : [])),
];

const tagPicker = loadable(() => import('../../posts/tag-picker.tsx'));

/** The tags of the post, closed like the other fields that most posts do not need. */
function Tags() {
  const { draft, act } = useComposing();
  const { tags = [] } = draft;
  const loaded = useLoaded(tagPicker);
  return (
    <details className={classes.details}>
      <summary>
        {words.composer.tags}
        {tags.length > 0 && <Muted as="span"> · {words.composer.list(tags)}</Muted>}
      </summary>
      {loaded && (
        <AtField of={keys.tags}>
          <loaded.TagPicker
            value={tags}
            onChange={(chosen) =>
              act({ do: 'forPrograms', changes: { tags: chosen.length > 0 ? chosen : undefined } })
            }
          />
          <Said of={keys.tags} />
        </AtField>
      )}
    </details>
  );
}

const programTexts = words.composer.forPrograms;
const fields = loadable(() => import('./program-fields.tsx'));

/** Fields that only programs read or decide. They are closed, because most people never need them. */
function ForPrograms() {
  const { draft } = useComposing();
  const { onQuota, externalId = '', metadata = [] } = draft;
  const pairs = metadata.filter(({ name, value }) => name !== '' || value !== '');
  const set = Number(onQuota !== undefined) + Number(externalId !== '') + pairs.length;
  const loaded = useLoaded(fields);
  return (
    <details className={classes.details}>
      <summary>
        {programTexts.title}
        {set > 0 && <Muted as="span"> · {programTexts.set(set)}</Muted>}
      </summary>
      {loaded && <loaded.ProgramFields />}
    </details>
  );
}

const texts = words.composer.bar;

interface ActionBarProps {
  keeping: Keeping;
  hint: string | undefined;
  keepLabel: string;
  sendLabel: string;
  pending: 'keep' | 'send' | undefined;
  onKeep: () => void;
  onSend: () => void;
}

/** The actions of the page. They stay in sight while it scrolls. */
function ActionBar({ keeping, hint, keepLabel, sendLabel, pending, onKeep, onSend }: ActionBarProps) {
  return (
    <section className={classes.bar} aria-label={texts.label}>
      <div className={classes.barText}>
        <BaseButton className={classes.when} onPress={() => focusField(keys.when)}>
          <Icon name="clock" size={14} />
          <WhenText />
        </BaseButton>
        <Muted size="xs" role="status">
          {hint !== undefined ? <span className={classes.hint}>{hint}</span> : keepingText[keeping]}
        </Muted>
      </div>
      <div className={classes.actions}>
        <Button onPress={onKeep} isPending={pending === 'keep'} isDisabled={pending === 'send'}>
          {keepLabel}
        </Button>
        <Button
          variant="primary"
          onPress={onSend}
          isPending={pending === 'send'}
          isDisabled={pending === 'keep'}
        >
          {sendLabel}
        </Button>
      </div>
    </section>
  );
}

const keepingText: Readonly<Record<Keeping, ReactNode>> = {
  nothing: '',
  waiting: texts.keeping,
  kept: texts.kept,
  failed: <span className={classes.hint}>{texts.notKept}</span>,
};

function WhenText() {
  const { draft } = useComposing();
  const { when, timezone } = draft;
  if (when.kind !== 'at') return <span>{when.kind === 'slot' ? texts.slot : texts.now}</span>;
  const at = instantText(when.time, timezone);
  return at === undefined ? <span>{texts.noTime}</span> : <Time at={at} />;
}

interface PublishDialogProps {
  onConfirm: () => void;
  onClose: () => void;
}

const confirmTexts = words.composer.confirm;

/** Asks before a post goes out at once. */
function PublishDialog({ onConfirm, onClose }: PublishDialogProps) {
  const { draft, accounts } = useComposing();
  const names = draft.destinations
    .filter(({ time }) => time === undefined)
    .map(({ accountId, platform }) => accountName(accounts, accountId, platform));
  return (
    <Dialog title={confirmTexts.title} isOpen onClose={onClose} role="alertdialog">
      <DialogBody>
        <p>{confirmTexts.text(words.composer.list(names))}</p>
        {names.length < draft.destinations.length && <p>{confirmTexts.own}</p>}
      </DialogBody>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {words.shared.actions.cancel}
        </Button>
        <Button
          variant="primary"
          onPress={() => {
            onClose();
            onConfirm();
          }}
        >
          {confirmTexts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
