import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button as Remove } from 'react-aria-components/Button';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { automationLimits } from '../../../../automations/limits.ts';
import type { MatchMode } from '../../../../automations/schemas.ts';
import type { Account } from '../../../accounts/account.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Form } from '../../../components/form.tsx';
import { Icon } from '../../../components/icon.tsx';
import { Muted, Row, Stack } from '../../../components/layout.tsx';
import { loadable, useLoaded } from '../../../components/loaded.ts';
import { Notice } from '../../../components/notice.tsx';
import { Radio, RadioGroup } from '../../../components/radio-group.tsx';
import { Section } from '../../../components/section.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { isStartedByMessages } from '../automation.ts';
import { Answers } from './answers.tsx';
import { addKeywords, answersIn, type Draft, shownOf } from './draft.ts';
import classes from './form.module.css';
import type { UsedDraft } from './use-automation-draft.ts';

const texts = words.automationsPage.form;
const preview = loadable(() => import('../preview/preview.tsx'));

interface AutomationFormProps {
  used: UsedDraft;
  account: Account | undefined;
  place: ReactNode;
  isNew: boolean;
  isPending: boolean;
  error: ApiError | null;
  onSubmit: (draft: Draft) => void;
  actions: ReactNode;
  notices?: ReactNode;
}

/** All that an automation is, beside what people will see of it. */
export function AutomationForm(props: AutomationFormProps) {
  const { used, account, place, isNew, isPending, error, onSubmit, actions, notices } = props;
  const { draft, change, isChanged, isRestored } = used;
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const frame = useErrorInSight(error);
  const formId = useId();
  const loaded = useLoaded(preview);
  const add = (text: string) => {
    const added = addKeywords(draft.keywords, text);
    if (added.keywords.length > draft.keywords.length) change({ keywords: added.keywords });
    setTyped(added.rest);
    setProblem(added.problem);
    return added;
  };
  const submit = () => {
    const { hasReply, hasMessage } = answersIn(draft);
    if (!hasReply && !hasMessage) return;
    const { keywords, rest } = add(typed);
    const needsKeyword = draft.appliesTo === 'direct_messages' && keywords.length === 0;
    if (needsKeyword && rest === '') setProblem(matchingTexts.needed);
    if (rest === '' && !needsKeyword) onSubmit({ ...draft, keywords });
    else frame.current?.querySelector<HTMLInputElement>('[name=keywords]')?.focus();
  };
  return (
    <div className={classes.columns} ref={frame}>
      <Form id={formId} onSubmit={submit} error={error} errorTitle={texts.notSaved}>
        {isRestored && (
          <Notice
            tone="info"
            actions={
              <Button size="small" onPress={used.discard}>
                {isNew ? texts.discardNew : texts.discard}
              </Button>
            }
          >
            {texts.restored}
          </Notice>
        )}
        {place}
        <MatchingFields
          draft={draft}
          change={(changes) => {
            setProblem(undefined);
            change(changes);
          }}
          typed={typed}
          onType={setTyped}
          onAdd={add}
          problem={problem}
        />
        <Answers draft={draft} change={change} account={account} />
        <Section title={texts.rest.title} isCard>
          <TextField
            name="name"
            label={texts.rest.name}
            help={texts.rest.nameHelp}
            isOptional
            value={draft.name}
            onChange={(name) => change({ name })}
            maxLength={automationLimits.nameCharacters}
            autoComplete="off"
          />
          <Checkbox
            isSelected={draft.isActive}
            onChange={(isActive) => change({ isActive })}
            note={draft.isActive ? texts.rest.activeNote : texts.rest.pausedNote}
          >
            {texts.rest.active}
          </Checkbox>
        </Section>
      </Form>
      <div className={classes.aside}>
        {loaded && <loaded.Preview automation={shownOf(draft)} account={account} />}
      </div>
      {/* After the preview, so that whoever sees one column sees it before saving. */}
      <Stack>
        {notices}
        <Row gap={3}>
          <Button type="submit" form={formId} variant="primary" isPending={isPending}>
            {isNew ? texts.save : texts.saveEdit}
          </Button>
          {actions}
          {isChanged && <Muted as="span">{texts.keptNotice}</Muted>}
        </Row>
      </Stack>
    </div>
  );
}

/** The form is long: an error that belongs to no field, above the fields, is brought into sight. */
function useErrorInSight(error: ApiError | null) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error === null) return;
    const timer = setTimeout(() => {
      if (frame.current?.querySelector('[aria-invalid="true"]')) return;
      frame.current?.querySelector('form > [role=alert]')?.scrollIntoView({ block: 'center' });
    }, 50);
    return () => clearTimeout(timer);
  }, [error]);
  return frame;
}

const matchingTexts = words.automationsPage.form.matching;

const modes: readonly MatchMode[] = ['contains', 'word', 'starts_with', 'exact'];

interface MatchingFieldsProps {
  draft: Draft;
  change: (changes: Partial<Draft>) => void;
  typed: string;
  onType: (typed: string) => void;
  onAdd: (typed: string) => void;
  problem: string | undefined;
}

/** The choice of the comments that are answered. */
function MatchingFields({ draft, change, ...adding }: MatchingFieldsProps) {
  return (
    <Section
      title={isStartedByMessages(draft) ? matchingTexts.messagesTitle : matchingTexts.title}
      lead={matchingTexts.lead}
      isCard
    >
      <KeywordsField
        appliesTo={draft.appliesTo}
        keywords={draft.keywords}
        onChange={(keywords) => change({ keywords })}
        {...adding}
      />
      {draft.keywords.length > 0 && (
        <>
          <RadioGroup
            name="matchMode"
            label={matchingTexts.mode}
            value={draft.matchMode}
            onChange={(matchMode) => change({ matchMode: matchMode as MatchMode })}
          >
            {modes.map((mode) => (
              <Radio key={mode} value={mode} note={words.automationsPage.matchModes[mode].note}>
                {words.automationsPage.matchModes[mode].name}
              </Radio>
            ))}
          </RadioGroup>
          <Checkbox
            isSelected={draft.typoTolerance}
            onChange={(typoTolerance) => change({ typoTolerance })}
            note={matchingTexts.typosNote}
          >
            {matchingTexts.typos}
          </Checkbox>
        </>
      )}
    </Section>
  );
}

const withoutKeywords: Readonly<Partial<Record<Draft['appliesTo'], string>>> = {
  story_replies: matchingTexts.allReplies,
  direct_messages: '',
};

interface KeywordsFieldProps {
  appliesTo: Draft['appliesTo'];
  keywords: readonly string[];
  onChange: (keywords: readonly string[]) => void;
  typed: string;
  onType: (typed: string) => void;
  onAdd: (typed: string) => void;
  problem: string | undefined;
}

/** Keywords, added by Enter or a comma, also several at once from the clipboard. */
function KeywordsField(props: KeywordsFieldProps) {
  const { appliesTo, keywords, onChange, typed, onType, onAdd, problem } = props;
  const id = useId();
  const type = (text: string) => (/[,\n]/.test(text) ? onAdd(text) : onType(text));
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // Not the form's.
      event.preventDefault();
      onAdd(typed);
    } else if (event.key === 'Backspace' && typed === '' && keywords.length > 0) {
      onChange(keywords.slice(0, -1));
    }
  };
  return (
    <Stack gap={2}>
      <div className={classes.adding}>
        <TextField
          name="keywords"
          label={matchingTexts.keywords}
          help={
            keywords.length === 0
              ? `${matchingTexts.keywordsHelp} ${withoutKeywords[appliesTo] ?? matchingTexts.all}`
              : matchingTexts.keywordsHelp
          }
          isOptional={appliesTo !== 'direct_messages'}
          value={typed}
          onChange={type}
          onKeyDown={press}
          onPaste={(event) => {
            const pasted = event.clipboardData?.getData('text') ?? '';
            // A field of one line would make one keyword of many lines.
            if (!pasted.includes('\n')) return;
            event.preventDefault();
            onAdd(`${typed}${pasted}`);
          }}
          autoComplete="off"
          spellCheck="false"
        />
        <Button onPress={() => onAdd(typed)} isDisabled={typed.trim() === ''}>
          {matchingTexts.add}
        </Button>
      </div>
      <p id={id} role="status" className={classes.problem}>
        {problem}
      </p>
      {keywords.length > 0 && (
        <TagGroup
          aria-label={matchingTexts.added}
          onRemove={(keys) => onChange(keywords.filter((keyword) => !keys.has(keyword)))}
        >
          <TagList className={classes.tags}>
            {keywords.map((keyword) => (
              <Tag key={keyword} id={keyword} textValue={keyword} className={classes.tag}>
                <bdi>{keyword}</bdi>
                <Remove
                  slot="remove"
                  className={classes.removeTag}
                  aria-label={matchingTexts.remove(keyword)}
                >
                  <Icon name="cross" size={12} />
                </Remove>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </Stack>
  );
}
