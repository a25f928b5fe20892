import { useState } from 'react';
import { checkDestinationUrl } from '../../../../links/destination-url.ts';
import { messagingLimits as limits } from '../../../../platforms/instagram/limits.ts';
import { characterCount } from '../../../../platforms/shared/text.ts';
import { Button } from '../../../components/button.tsx';
import { IconButton } from '../../../components/icon-button.tsx';
import { TextField } from '../../../components/text-field.tsx';
import { words } from '../../../words/words.ts';
import type { DraftButton } from './draft.ts';
import classes from './form.module.css';

const texts = words.automationsPage.form.message;
const most = limits.buttonTitleCharacters;

/** How long the label of a button is. */
export const titleHelp = (title: string): string =>
  words.automationsPage.form.characters(characterCount(title), most);
export const titleProblem = (title: string): string | null =>
  characterCount(title) > most ? words.automationsPage.form.tooLong : null;

/** People leave out what browsers leave out. */
const withScheme = (url: string): string =>
  /^[\w-]+(\.[\w-]+)+([/?#:]|$)/.test(url.trim()) ? `https://${url.trim()}` : url;

const urlProblem = (url: string): string | null =>
  'url' in checkDestinationUrl(withScheme(url).trim()) ? null : words.automationsPage.form.urlProblem;

interface ButtonsFieldProps {
  buttons: readonly DraftButton[];
  onChange: (buttons: readonly DraftButton[]) => void;
}

/** The buttons below the message, each with a label and an address. */
export function ButtonsField({ buttons, onChange }: ButtonsFieldProps) {
  /** The key of the button that was added last: its label gets the focus. */
  const [added, setAdded] = useState<number>();
  const add = () => {
    const key = Math.max(-1, ...buttons.map((button) => button.key)) + 1;
    setAdded(key);
    onChange([...buttons, { key, title: '', url: '' }]);
  };
  const set = (key: number, changes: Partial<DraftButton>) =>
    onChange(buttons.map((button) => (button.key === key ? { ...button, ...changes } : button)));
  return (
    <fieldset className={classes.buttons}>
      <legend>{texts.buttons}</legend>
      {buttons.map(({ key, title, url }, index) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset in a fieldset has a legend in each of its lines
        <div key={key} role="group" aria-label={texts.button(index + 1)} className={classes.button}>
          <TextField
            name={`buttons[${index}].title`}
            label={texts.buttonTitle}
            autoFocus={key === added}
            help={titleHelp(title)}
            value={title}
            onChange={(text) => set(key, { title: text })}
            validate={titleProblem}
            isRequired
            autoComplete="off"
          />
          <TextField
            name={`buttons[${index}].url`}
            label={texts.buttonUrl}
            inputMode="url"
            onBlur={() => set(key, { url: withScheme(url) })}
            validate={urlProblem}
            value={url}
            onChange={(text) => set(key, { url: text })}
            placeholder="https://"
            isRequired
            autoComplete="off"
          />
          <div className={classes.removeButton}>
            <IconButton
              icon="trash"
              label={texts.removeButton(index + 1)}
              onPress={() => onChange(buttons.filter((button) => button.key !== key))}
            />
          </div>
        </div>
      ))}
      {buttons.length < limits.buttons ? (
        <div>
          <Button size="small" icon="plus" onPress={add}>
            {texts.addButton}
          </Button>
        </div>
      ) : (
        <p className={classes.minor}>{texts.mostButtons(limits.buttons)}</p>
      )}
    </fieldset>
  );
}
