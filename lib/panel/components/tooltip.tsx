import type { ReactNode } from 'react';
import { Tooltip as Base, TooltipTrigger } from 'react-aria-components/Tooltip';
import classes from './tooltip.module.css';

/**
 * Names what its control does, after a moment. Never put anything into it that a person must read, such as why something failed: touch
 * screens do not show it.
 */
export function Tooltip({ text, children }: { text: string; children: ReactNode }) {
  return (
    <TooltipTrigger delay={500} closeDelay={100}>
      {children}
      <Base className={classes.tooltip} offset={6}>
        {text}
      </Base>
    </TooltipTrigger>
  );
}
