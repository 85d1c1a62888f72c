'use client';

import { Component, type ReactNode } from 'react';

type Props = {
  /** What is shown. When it becomes another, the children are tried again. */
  readonly of: unknown;
  /** Replaces children that throw. Made only then. */
  readonly fallback: () => ReactNode;
  readonly children: ReactNode;
};

type State = { readonly of: unknown; readonly hasFailed: boolean };

/** Keeps an error in its children from the rest of the page. React logs it. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { of: this.props.of, hasFailed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ of }: Props, before: State): State | null {
    return Object.is(of, before.of) ? null : { of, hasFailed: false };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback() : this.props.children;
  }
}
