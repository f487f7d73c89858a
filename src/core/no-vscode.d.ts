// The core runs without an editor. tsconfig.json maps the module name `vscode` to this empty module,
// so that importing anything from it inside the core does not compile.
export {};
