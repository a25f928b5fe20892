import { type KeyboardEvent, useId } from 'react';
import { Button as Remove } from 'react-aria-components/Button';
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup';
import { Button } from '../../../components/button.tsx';
import { Icon } from '../../../components/icon.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import classes from './form.module.css';

const texts = words.automationsPage.form.matching;

interface KeywordsFieldProps {
  keywords: readonly string[];
  onChange: (keywords: readonly string[]) => void;
  typed: string;
  onType: (typed: string) => void;
  onAdd: (typed: string) => void;
  problem: string | undefined;
}

/** Keywords, added by Enter or a comma, also several at once from the clipboard. */
export function KeywordsField({ keywords, onChange, typed, onType, onAdd, problem }: KeywordsFieldProps) {
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
    <div className={classes.keywords}>
      <div className={classes.adding}>
        <TextField
          name="keywords"
          label={texts.keywords}
          help={keywords.length === 0 ? `${texts.keywordsHelp} ${texts.all}` : texts.keywordsHelp}
          isOptional
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
          {texts.add}
        </Button>
      </div>
      <p id={id} role="status" className={classes.problem}>
        {problem}
      </p>
      {keywords.length > 0 && (
        <TagGroup
          aria-label={texts.added}
          onRemove={(keys) => onChange(keywords.filter((keyword) => !keys.has(keyword)))}
        >
          <TagList className={classes.tags}>
            {keywords.map((keyword) => (
              <Tag key={keyword} id={keyword} textValue={keyword} className={classes.tag}>
                <bdi>{keyword}</bdi>
                <Remove slot="remove" className={classes.removeTag} aria-label={texts.remove(keyword)}>
                  <Icon name="cross" size={12} />
                </Remove>
              </Tag>
            ))}
          </TagList>
        </TagGroup>
      )}
    </div>
  );
}
