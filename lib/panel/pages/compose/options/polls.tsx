import { pollLimits as linkedinLimits } from '../../../../platforms/linkedin/limits.ts';
import { pollLimits as threadsLimits } from '../../../../platforms/threads/limits.ts';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { Select } from '../../../components/select.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { Said } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import classes from './options.module.css';
import type { ControlProps } from './props.ts';

const texts = words.options.poll;

interface Poll {
  question?: string;
  options?: readonly string[];
  duration?: string;
}

const pollOf = (value: unknown): Poll | undefined =>
  typeof value === 'object' && value !== null ? (value as Poll) : undefined;

/** A poll of Threads: answers only, because the text is the question. */
export function ThreadsPollControl(props: ControlProps<Special>) {
  const { name, options, onChange } = props;
  const poll = pollOf(options[name]);
  return (
    <PollFrame {...props} poll={poll} empty={{ options: ['', ''] }}>
      <Answers
        value={poll?.options ?? []}
        onChange={(answers) => onChange(name, { ...poll, options: answers })}
        {...threadsLimits.options}
        mostCharacters={threadsLimits.optionCharacters}
      />
    </PollFrame>
  );
}

/** A poll of LinkedIn. */
export function LinkedinPollControl(props: ControlProps<Special>) {
  const { name, options, onChange } = props;
  const poll = pollOf(options[name]);
  const change = (changes: Poll) => onChange(name, { ...poll, ...changes });
  return (
    <PollFrame {...props} poll={poll} empty={{ question: '', options: ['', ''], duration: 'SEVEN_DAYS' }}>
      <TextField
        label={texts.question}
        value={poll?.question ?? ''}
        onChange={(question) => change({ question })}
        maxLength={linkedinLimits.questionCharacters}
        autoComplete="off"
      />
      <Answers
        value={poll?.options ?? []}
        onChange={(answers) => change({ options: answers })}
        {...linkedinLimits.options}
        mostCharacters={linkedinLimits.optionCharacters}
      />
      <Select
        label={texts.duration}
        choices={Object.entries(texts.durations).map(([id, name]) => ({ id, name }))}
        value={poll?.duration ?? 'SEVEN_DAYS'}
        onChange={(key) => change({ duration: String(key) })}
      />
    </PollFrame>
  );
}

interface PollFrameProps extends ControlProps<Special> {
  poll: Poll | undefined;
  empty: Poll;
  children: React.ReactNode;
}

function PollFrame({ name, control, poll, empty, keyOf, onChange, children }: PollFrameProps) {
  return (
    <fieldset className={classes['rows']}>
      <legend className={textClasses['label']}>{control.label}</legend>
      {poll !== undefined && children}
      <Said of={keyOf(name)} />
      <div>
        {poll === undefined ? (
          <Button size="small" icon="plus" onPress={() => onChange(name, empty)}>
            {texts.add}
          </Button>
        ) : (
          <Button size="small" variant="quiet" icon="cross" onPress={() => onChange(name, undefined)}>
            {texts.remove}
          </Button>
        )}
      </div>
    </fieldset>
  );
}

interface AnswersProps {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
  min: number;
  max: number;
  mostCharacters: number;
}

function Answers({ value, onChange, min, max, mostCharacters }: AnswersProps) {
  return (
    <>
      {value.map((answer, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an answer is known by its place
        <div key={place} className={classes['row']}>
          <TextField
            label={texts.answer(place + 1)}
            value={answer}
            onChange={(text) => onChange(value.with(place, text))}
            maxLength={mostCharacters}
            autoComplete="off"
          />
          {value.length > min && (
            <IconButton
              icon="cross"
              label={texts.removeAnswer(place + 1)}
              onPress={() => onChange(value.toSpliced(place, 1))}
            />
          )}
        </div>
      ))}
      {value.length < max && (
        <div>
          <Button size="small" icon="plus" onPress={() => onChange([...value, ''])}>
            {texts.addAnswer}
          </Button>
        </div>
      )}
    </>
  );
}
