import { Button } from '../components/button.tsx';
import { words } from '../words/words.ts';
import classes from './fit.module.css';

/** The end of the service's messages about a shape that a platform does not take. */
const fitHint = /; set fit to pad or crop(?=\.?$)/;

/** True if a change of shape solves the problem. */
export const isAboutFit = (message: string): boolean => fitHint.test(message);

/** A message without the advice that is for programs. */
export const withoutFitHint = (message: string): string => message.replace(fitHint, '');

interface FitButtonsProps {
  messages: readonly string[];
  /** The name of the file. */
  name: string;
  onChoose: (fit: 'pad' | 'crop') => void;
}

/** The remedies for a picture whose shape a platform does not take. Nothing if the problems are others. */
export function FitButtons({ messages, name, onChoose }: FitButtonsProps) {
  if (!messages.some(isAboutFit)) return null;
  return (
    <div className={classes.buttons}>
      <Button size="small" aria-label={words.fit.applyPadTo(name)} onPress={() => onChoose('pad')}>
        {words.fit.applyPad}
      </Button>
      <Button size="small" aria-label={words.fit.applyCropTo(name)} onPress={() => onChoose('crop')}>
        {words.fit.applyCrop}
      </Button>
    </div>
  );
}
