/** A test compares the names that the components use with the classes of the style sheets. */
declare module '*.css'
