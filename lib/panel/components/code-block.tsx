import classes from './code-block.module.css';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  label: string;
  code: string;
  copyLabel: string;
}

/** Text of a program, such as a curl command, with a copy button. Long lines wrap. */
export function CodeBlock({ label, code, copyLabel }: CodeBlockProps) {
  return (
    <figure className={classes.block}>
      <figcaption className={classes.head}>
        <span>{label}</span>
        <CopyButton text={code} label={copyLabel} />
      </figcaption>
      <pre className={classes.code}>
        <code>{code}</code>
      </pre>
    </figure>
  );
}
