package compile

import (
	"fmt"
	"math"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// printer writes a checked tree as (position what :type =reference <overloads>).
type printer struct {
	strings.Builder
	ast *ast.AST
}

func print(tree *ast.AST) string {
	p := &printer{ast: tree}
	p.visit(tree.Expr())
	return p.String()
}

func (p *printer) writef(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

func (p *printer) visit(e ast.Expr) {
	place, _ := p.ast.SourceInfo().GetOffsetRange(e.ID())
	p.writef("(%d ", place.Start)
	p.kind(e)
	if e.Kind() != ast.LiteralKind {
		p.writef(" :%s", cel.FormatCELType(p.ast.GetType(e.ID())))
	}
	if reference := p.ast.ReferenceMap()[e.ID()]; reference != nil {
		if reference.Name != "" {
			p.writef(" =%s", reference.Name)
		}
		if len(reference.OverloadIDs) > 0 {
			p.writef(" <%s>", strings.Join(reference.OverloadIDs, ","))
		}
	}
	p.writef(")")
}

func (p *printer) kind(e ast.Expr) {
	switch e.Kind() {
	case ast.LiteralKind:
		p.WriteString(constant(e.AsLiteral()))
	case ast.IdentKind:
		p.WriteString(e.AsIdent())
	case ast.SelectKind:
		p.selection(e.AsSelect())
	case ast.CallKind:
		p.call(e.AsCall())
	case ast.ListKind:
		p.WriteString("list")
		list := e.AsList()
		for i, element := range list.Elements() {
			p.child(element, list.IsOptional(int32(i)))
		}
	case ast.MapKind:
		p.WriteString("map")
		for _, entry := range e.AsMap().Entries() {
			p.child(entry.AsMapEntry().Key(), entry.AsMapEntry().IsOptional())
			p.child(entry.AsMapEntry().Value(), false)
		}
	case ast.StructKind:
		p.object(e.AsStruct())
	case ast.ComprehensionKind:
		p.fold(e.AsComprehension())
	}
}

func (p *printer) child(e ast.Expr, optional bool) {
	p.WriteString(" ")
	if optional {
		p.WriteString("?")
	}
	p.visit(e)
}

func (p *printer) selection(s ast.SelectExpr) {
	if s.IsTestOnly() {
		p.WriteString("has ")
	}
	p.visit(s.Operand())
	p.writef(".%s", s.FieldName())
}

func (p *printer) call(c ast.CallExpr) {
	p.WriteString(c.FunctionName())
	if c.IsMemberFunction() {
		p.WriteString(" @")
		p.child(c.Target(), false)
	}
	for _, argument := range c.Args() {
		p.child(argument, false)
	}
}

func (p *printer) object(s ast.StructExpr) {
	p.writef("struct %s", s.TypeName())
	for _, field := range s.Fields() {
		p.writef(" %s", field.AsStructField().Name())
	}
	for _, field := range s.Fields() {
		p.child(field.AsStructField().Value(), field.AsStructField().IsOptional())
	}
}

func (p *printer) fold(c ast.ComprehensionExpr) {
	p.writef("fold %s,%s,%s", c.IterVar(), c.IterVar2(), c.AccuVar())
	for _, part := range []ast.Expr{c.IterRange(), c.AccuInit(), c.LoopCondition(), c.LoopStep(), c.Result()} {
		p.child(part, false)
	}
}

func constant(value ref.Val) string {
	switch v := value.(type) {
	case types.Null:
		return "null"
	case types.Uint:
		return fmt.Sprintf("%du", uint64(v))
	case types.Double:
		return fmt.Sprintf("%xd", math.Float64bits(float64(v)))
	case types.String:
		return fmt.Sprintf("'%s'", string(v))
	case types.Bytes:
		return fmt.Sprintf("b%x", []byte(v))
	}
	return fmt.Sprint(value.Value())
}
