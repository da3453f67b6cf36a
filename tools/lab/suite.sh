# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# To be sourced: packages of another suite of Debian than the machine's, downloaded and unpacked; nothing is installed.
# The package index is kept apart from the machine's own; the mirror is the one that the machine uses already.
# Needs say() and die() of whoever sources it.

# suite_index DIR SUITE: reads the index of SUITE into DIR.
suite_index() {
	local apt=$1 suite=$2 mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	suite_options=(-qq -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o Acquire::Retries=3
		-o Acquire::Languages=none -o APT::Sandbox::User= -o APT::Get::List-Cleanup=0)
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
	[[ -r $keyring ]] || die "no $keyring: apt-get install debian-archive-keyring"
	say "reading the package index"
	# Sources that have nothing to do with us may be out of reach: what counts is whether the mirror and the package are found.
	apt-get "${suite_options[@]}" update >"$apt/update.log" 2>&1 </dev/null || true
	# shellcheck disable=SC2016 # apt expands it
	mirror=$(apt-get "${suite_options[@]}" indextargets --format '$(REPO_URI) $(CODENAME) $(ORIGIN)' 'Created-By: Packages' |
		awk '$3 == "Debian" && $2 !~ /-/ { print $1; exit }')
	[[ $mirror ]] || die "no Debian mirror in this machine's apt sources ($apt/update.log)"
	echo "deb [signed-by=$keyring] $mirror $suite main" >"$apt/sources.list"
	suite_options+=(-o "Dir::Etc::SourceList=$apt/sources.list" -o Dir::Etc::SourceParts=/dev/null -t "$suite")
	apt-get "${suite_options[@]}" update >>"$apt/update.log" 2>&1 </dev/null || die "cannot read $suite from $mirror ($apt/update.log)"
}

# suite_unpack DIR SUITE PACKAGE...: downloads and unpacks into DIR, once suite_index has run. The .deb files stay in DIR.
suite_unpack() {
	local dir=$1 suite=$2 package deb
	shift 2
	for package; do
		(cd "$dir" && apt-get "${suite_options[@]}" download "$package" </dev/null) || die "cannot download $package from $suite"
		deb=$(find "$dir" -maxdepth 1 -name "${package}_*.deb" -print -quit)
		[[ -n $deb ]] || die "no file after the download of $package"
		dpkg -x "$deb" "$dir" || die "cannot unpack $deb"
	done
}
