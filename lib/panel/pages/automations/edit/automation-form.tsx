import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { automationLimits } from '../../../../automations/limits.ts';
import type { Account } from '../../../accounts/account.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { Button } from '../../../components/button.tsx';
import { Checkbox } from '../../../components/checkbox.tsx';
import { Form } from '../../../components/form.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import { Preview } from '../preview/preview.tsx';
import { Answers } from './answers.tsx';
import { type Draft, shownOf } from './draft.ts';
import classes from './form.module.css';
import { addKeywords } from './keywords.ts';
import { MatchingFields } from './matching.tsx';
import type { UsedDraft } from './use-automation-draft.ts';

const texts = words.automationsPage.form;

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
  const add = (text: string) => {
    const added = addKeywords(draft.keywords, text);
    if (added.keywords.length > draft.keywords.length) change({ keywords: added.keywords });
    setTyped(added.rest);
    setProblem(added.problem);
    return added;
  };
  const submit = () => {
    if (!draft.hasReply && !draft.hasMessage) return;
    const { keywords, rest } = add(typed);
    if (rest === '') onSubmit({ ...draft, keywords });
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
        <Preview automation={shownOf(draft)} account={account} />
      </div>
      {/* After the preview, so that whoever sees one column sees it before saving. */}
      <div className={classes.end}>
        {notices}
        <div className={classes.actions}>
          <Button type="submit" form={formId} variant="primary" isPending={isPending}>
            {isNew ? texts.save : texts.saveEdit}
          </Button>
          {actions}
          {isChanged && <span className={classes.minor}>{texts.keptNotice}</span>}
        </div>
      </div>
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
