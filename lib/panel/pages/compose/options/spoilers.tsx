import { useState } from 'react';
import { maxTextSpoilers } from '../../../../platforms/threads/limits.ts';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import textClasses from '../../../components/texts.module.css';
import { words } from '../../../words/words.ts';
import { Said } from '../parts/at-field.tsx';
import type { Special } from './control.ts';
import classes from './options.module.css';
import type { ControlProps } from './props.ts';

interface Spoiler {
  offset: number;
  length: number;
}

const texts = words.options.spoilers;

/** Words that readers tap to see. A person names the words; Threads wants to know where they are. */
export function SpoilersControl({ name, control, content, options, keyOf, onChange }: ControlProps<Special>) {
  const [words, setWords] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const spoilers = Array.isArray(options[name]) ? (options[name] as readonly Spoiler[]) : [];
  const add = () => {
    const found = findFree(content, words, spoilers);
    setIsMissing(found === undefined);
    if (found === undefined) return;
    setWords('');
    onChange(name, [...spoilers, found]);
  };
  const remove = (place: number) =>
    onChange(name, spoilers.length > 1 ? spoilers.toSpliced(place, 1) : undefined);
  return (
    <fieldset className={classes['rows']}>
      <legend className={textClasses['label']}>{control.label}</legend>
      {spoilers.map(({ offset, length }, place) => {
        const hidden = content.slice(offset, offset + length) || texts.outside;
        return (
          <div key={`${offset}-${length}`} className={classes['row']}>
            <code className={classes['quoted']}>{hidden}</code>
            <IconButton
              icon="cross"
              size="small"
              label={texts.remove(hidden)}
              onPress={() => remove(place)}
            />
          </div>
        );
      })}
      <Said of={keyOf(name)} />
      {spoilers.length < maxTextSpoilers && (
        <div className={classes['row']}>
          <TextField
            label={texts.words}
            help={texts.help}
            value={words}
            onChange={(text) => {
              setWords(text);
              setIsMissing(false);
            }}
            validationBehavior="aria"
            validate={() => (isMissing ? texts.missing : null)}
            autoComplete="off"
          />
          <Button onPress={add} isDisabled={words === ''}>
            {texts.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Where the words are that are not hidden yet. */
export function findFree(content: string, words: string, hidden: readonly Spoiler[]): Spoiler | undefined {
  if (words === '') return undefined;
  for (let offset = content.indexOf(words); offset >= 0; offset = content.indexOf(words, offset + 1)) {
    const end = offset + words.length;
    if (hidden.every((each) => end <= each.offset || offset >= each.offset + each.length))
      return { offset, length: words.length };
  }
  return undefined;
}
