import { join } from '../../../components/classes.ts';
import { TextArea } from '../../../components/text-area.tsx';
import { words } from '../../../words/words.ts';
import classes from './form.module.css';
import type { Size } from './sizes.ts';

const texts = words.automationsPage.form;

interface SizedTextProps {
  name: string;
  label: string;
  value: string;
  onChange: (value: string) => void;
  size: Size;
  placeholder?: string;
  rows?: number;
}

/** A text with how long it is as it is sent. */
export function SizedText({ size, ...rest }: SizedTextProps) {
  const { used, most, unit, isShortened, isAsText } = size;
  const isOver = used > most;
  return (
    <TextArea
      {...rest}
      isRequired
      help={
        <span className={join(classes.size, isOver && classes.over)}>
          {texts[unit](used, most)}
          {isShortened && ` (${texts.asSent})`}
          {isAsText && ` (${texts.asText})`}
        </span>
      }
      validate={() => (isOver ? texts.tooLong : null)}
    />
  );
}
