/** `tidy-styles.test.ts` checks that the style sheets have the classes that the components use. */
declare module '*.css'
